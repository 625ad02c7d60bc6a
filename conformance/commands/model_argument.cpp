#include "conformance/commands/model_argument.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ifcert/content.hpp>
#include <memory>
#include <optional>
#include <regex>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/suite/suite.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/project.hpp"
#include "conformance/system/suggestion.hpp"
#include "reference/files/input.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// No ONNX file is larger, because protobuf messages are not; it also stops at a pipe that never ends.
constexpr std::size_t most = std::size_t{2} << 30;

std::vector<std::string> names_beside(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  std::vector<std::string> names;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, ignored))
    names.push_back(each.path().filename().string());
  return names;
}

/// The diagnostic of a file with an unknown extension, or of one that does not exist, with the name that was perhaps
/// meant.
Diagnostic with_suggestion(Diagnostic diagnostic, const fs::path& file) {
  if (diagnostic.place != file.string()) return diagnostic;
  std::error_code ignored;
  if (diagnostic.rule.empty())
    diagnostic.found += did_you_mean(file.extension().string(), {".onnx", ".xml", ".tflite", ".circle"});
  else if (fs::symlink_status(file, ignored).type() == fs::file_type::not_found)
    diagnostic = {"", file.string(), "no such file" + did_you_mean(file.filename().string(), names_beside(file)),
                  "the name of a model file"};
  return diagnostic;
}

/// Whether the text has the form of an id, "onnx/if/nesting/deep", and is not the name of a file.
bool is_id(const std::string& text) {
  static const std::regex id("(onnx|openvino|tflite)(/[a-z0-9]+(-[a-z0-9]+)*){3}");
  std::error_code ignored;
  return std::regex_match(text, id) && fs::symlink_status(text, ignored).type() == fs::file_type::not_found;
}

/// The path as a user of the current folder writes it.
std::string short_path(const fs::path& path) {
  const fs::path relative = path.lexically_proximate(fs::current_path());
  return (relative.begin()->string() == ".." ? path : relative).string();
}

}  // namespace

std::string model_file(const std::string& argument) {
  if (!is_id(argument)) return argument;
  const std::optional<fs::path> model = model_of_vector(find_project(), argument);
  return model ? short_path(*model) : argument;
}

std::string display_name(const std::string& model) {
  return model == "-" ? "stdin" : model;
}

Reading read_model_argument(const std::string& model, const AllowedRules& allowed) {
  if (model == "-") {
    const auto bytes = std::make_shared<const std::string>(files::read_standard_input(most));
    Reading reading = read_content(bytes, std::as_bytes(std::span(*bytes)), {}, allowed);
    reading.model.path = display_name(model);
    return reading;
  }
  try {
    return read_model(model, allowed);
  } catch (const UnreadableModel& error) {
    throw UnreadableModel(with_suggestion(error.diagnostic(), model));
  }
}

void require_folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw Error(fmt::format("cannot write {}: there is no folder {}", file, folder.string()));
}

}  // namespace ifcert::conformance
