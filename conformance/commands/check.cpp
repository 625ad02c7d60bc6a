// ifcert check MODEL… [--format text|json|sarif] [-o FILE]
#include <fmt/format.h>

#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/file.hpp"
#include "conformance/model_files/checked_file.hpp"

namespace ifcert::conformance {
namespace {

struct Request {
  std::vector<std::string> models;
  std::string format = "text";
  std::string file;
};

/// Adds the files of the model to what was read.
CheckedFile check_file(const std::string& path, Paths& read) {
  read.emplace_back(path);
  if (path.ends_with(".xml")) read.push_back(std::filesystem::path(path).replace_extension(".bin"));
  try {
    const Reading reading = read_model(path);
    read.insert(read.end(), reading.files.begin(), reading.files.end());
    return {path, check(reading), {}};
  } catch (const UnreadableModel& error) {
    return {path, {}, error.diagnostic()};
  }
}

void give(const Request& request, const std::string& text, const Paths& read) {
  if (request.file.empty())
    fmt::print("{}", text);
  else
    replace_file(request.file, text, read);
}

/// Text for a person comes file by file; of files that could not be read standard error speaks.
int check_as_text(const Request& request) {
  std::vector<CheckedFile> checked;
  Paths read;
  std::string all;
  for (const std::string& path : request.models) {
    const CheckedFile& file = checked.emplace_back(check_file(path, read));
    if (file.unreadable) fmt::print(stderr, "ifcert: {}: {}\n", path, unreadable_as_text(*file.unreadable));
    const std::string text = file.unreadable ? "" : checked_as_text(file);
    if (request.file.empty()) fmt::print("{}", text);
    all += text;
  }
  if (!request.file.empty()) give(request, all, read);
  return exit_code_of(checked);
}

int check_models(const Request& request) {
  if (request.format == "text") return check_as_text(request);
  std::vector<CheckedFile> checked;
  checked.reserve(request.models.size());
  Paths read;
  for (const std::string& path : request.models) checked.push_back(check_file(path, read));
  const nlohmann::ordered_json json =
      request.format == "json" ? checked_as_json(checked) : checked_as_sarif(checked, IFCERT_VERSION);
  give(request, json.dump(2) + "\n", read);
  return exit_code_of(checked);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Every rule that a model breaks, with its place");
  auto request = std::make_shared<Request>();
  command->add_option("MODEL", request->models, "model files (.onnx, .xml, .tflite, .circle)")->required();
  command->add_option("--format", request->format, "text, json or sarif (2.1.0)")
      ->check(CLI::IsMember({"text", "json", "sarif"}));
  command->add_option("-o", request->file, "a file for the findings; standard output where none is given");
  command->callback([request, &exit_code] { exit_code = check_models(*request); });
}

}  // namespace ifcert::conformance
