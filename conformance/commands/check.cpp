// ifcert check MODEL… [--format text|json|sarif] [-o FILE]
// ifcert check MODEL --fix -o OUT [--format text|json|sarif]
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/allowance.hpp>
#include <ifcert/reference.hpp>
#include <ifcert/rules.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/commands/checked_file.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/edited_file.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/commands/model_messages.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

struct CheckOptions {
  std::vector<std::string> models;
  std::string format = "text";
  std::string file;
  bool fix = false;
};

/// Adds the model's files to `read`.
CheckedFile check_file(const std::string& path, files::Paths& read) {
  const std::string name = display_name(path);
  if (path != "-") read.emplace_back(path);
  if (path.ends_with(".xml")) read.push_back(std::filesystem::path(path).replace_extension(".bin"));
  try {
    const Reading reading = read_model_argument(path);
    read.insert(read.end(), reading.files.begin(), reading.files.end());
    return {name, check(reading), {}};
  } catch (const UnreadableModel& error) {
    return {name, {}, error.diagnostic()};
  } catch (const std::bad_alloc& error) {
    const auto* with_message = dynamic_cast<const OutOfMemory*>(&error);
    return {name,
            {},
            Diagnostic{"", with_message == nullptr ? "file" : with_message->what(), "out of memory", "enough memory"}};
  }
}

void write(const CheckOptions& options, const std::string& text, const files::Paths& read) {
  if (options.file.empty())
    fmt::print("{}", text);
  else
    replace_file(options.file, text, read);
}

/// Prints the text file by file; files that could not be read are reported on standard error.
int check_as_text(const CheckOptions& options) {
  std::vector<CheckedFile> checked;
  files::Paths read;
  std::string all;
  for (const std::string& path : options.models) {
    const CheckedFile& file = checked.emplace_back(check_file(path, read));
    if (file.unreadable)
      fmt::print(stderr, "ifcert: {}\n", printable(unreadable(file.path, UnreadableModel(*file.unreadable))));
    const std::string text = file.unreadable ? "" : checked_as_text(file);
    if (options.file.empty()) fmt::print("{}", text);
    all += text;
  }
  if (!options.file.empty()) write(options, all, read);
  return exit_code_of(checked);
}

nlohmann::ordered_json as_document(const std::vector<CheckedFile>& checked, const std::string& format) {
  return format == "json" ? checked_as_json(checked) : checked_as_sarif(checked, IFCERT_VERSION);
}

std::string in_ascii(const nlohmann::ordered_json& json) {  // programs read the names unchanged, no terminal obeys them
  return json.dump(2, ' ', true) + "\n";
}

/// Writes the file without the breaches that leave it one meaning (of IR the .bin beside it, too), and checks it. Every
/// other byte is that of the model's file. Throws Error, also where OUT has another extension or is one of the model's
/// own files, and UnreadableModel.
CheckedFile write_mended(const std::string& model, const std::string& out) {
  require_edited_name(model, out);
  Reading reading = read_model_argument(model, allowable_rules());
  write_edited(reading, model, out, reading.mended == nullptr ? read_file(model) : *reading.mended);
  return {out, checked(reading).findings, {}, std::move(reading.allowed)};
}

/// Writes the mended model; the findings are those that remain in it.
int fix_model(const CheckOptions& options) {
  if (options.file.empty()) throw Error("--fix needs the file to write: -o OUT");
  if (options.models.size() != 1 || options.models.front() == "-")
    throw Error("--fix mends one model file; standard input has no name whose extension OUT could have");
  const std::string& model = options.models.front();
  try {
    const std::vector<CheckedFile> checked{write_mended(model, options.file)};
    const bool is_text = options.format == "text";
    fmt::print("{}", is_text ? mended_as_text(model, checked.front()) : in_ascii(as_document(checked, options.format)));
    return exit_code_of(checked);
  } catch (const UnreadableModel& error) {
    throw Error(unreadable(model, error));
  } catch (const std::bad_alloc& error) {
    throw Error(without_memory(model, error));
  }
}

int check_models(const CheckOptions& options) {
  if (options.fix) return fix_model(options);
  if (std::ranges::count(options.models, "-") > 1) throw Error("- (standard input) can be given only once");
  if (!options.file.empty()) require_folder_of(options.file);
  if (options.format == "text") return check_as_text(options);
  std::vector<CheckedFile> checked;
  checked.reserve(options.models.size());
  files::Paths read;
  for (const std::string& path : options.models) checked.push_back(check_file(path, read));
  write(options, in_ascii(as_document(checked, options.format)), read);
  return exit_code_of(checked);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "List every rule that a model breaks, and where");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("MODEL", options->models, fmt::format("model files {}", model_endings))
      ->type_name("")
      ->required()
      ->transform(model_file);
  one_of(command->add_option("--format", options->format, "format of the findings; sarif is SARIF 2.1.0"),
         {"text", "json", "sarif"});
  command->add_flag("--fix", options->fix,
                    "write the model to the file of -o, with the findings mended that leave it one meaning");
  command
      ->add_option("-o", options->file,
                   "file for the findings (default: standard output); with --fix, for the mended model")
      ->type_name("FILE");
  examples(
      *command,
      {{"ifcert check model.onnx", "each broken rule with its place, what is expected there, and its clause"},
       {"ifcert check model.xml model.tflite --format sarif -o findings.sarif", "for tools that show SARIF"},
       {"ifcert check - <model.onnx", "a model from standard input"},
       {"ifcert check model.onnx --fix -o mended.onnx", "sorts nodes and drops repetitions, and checks the result"}},
      "Exit code 0: no rule is broken (warnings at most); 1: a rule is broken; 2: a model could not be read.\n"
      "With --fix they are those of the mended model.");
  command->callback([options, &exit_code] { exit_code = check_models(*options); });
}

}  // namespace ifcert::conformance
