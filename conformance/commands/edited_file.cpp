#include "conformance/commands/edited_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "conformance/commands/model_argument.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// The files with the model's data, other than the model itself.
std::vector<fs::path> data_files(const Reading& reading, const fs::path& model) {
  std::vector<fs::path> files;
  std::ranges::copy_if(reading.files, std::back_inserter(files),
                       [&](const fs::path& file) { return file != fs::absolute(model); });
  return files;
}

/// External data of ONNX is found from the folder of the model's file.
void require_same_folder(const fs::path& model, const fs::path& out) {
  const auto folder = [](const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); };
  std::error_code ignored;
  if (fs::equivalent(folder(model), folder(out), ignored)) return;
  throw Error(fmt::format("cannot write {}: the model has external data, which is found only from the folder {}",
                          out.string(), folder(model).string()));
}

}  // namespace

void require_edited_name(const std::string& model, const std::string& out) {
  const std::string ending = fs::path(model).extension().string();
  if (fs::path(out).extension() != ending)
    throw Error(fmt::format(
        "{}: expected a name that ends in {}, like the model's; ifcert convert writes other formats", out, ending));
  require_folder_of(out);
}

void write_edited(const Reading& reading, const std::string& model, const std::string& out, const std::string& bytes) {
  const std::vector<fs::path> data = data_files(reading, model);
  const bool is_ir = reading.model.format == Format::openvino;
  if (!is_ir && !data.empty()) require_same_folder(model, out);
  std::vector<std::string> contents;
  if (is_ir && !data.empty()) contents.push_back(read_file(data.front()));
  std::vector<files::OutputFile> files;
  for (const std::string& content : contents) files.push_back({fs::path(out).replace_extension(".bin"), content});
  files.push_back({out, bytes});
  files::write_model_files(files, {.inputs = reading.files});
}

}  // namespace ifcert::conformance
