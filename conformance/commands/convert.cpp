// ifcert convert IN OUT [--allow RULE]…
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/allowed_rules.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/commands/model_messages.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/suggestion.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

struct ConvertOptions {
  std::string in, out;
  std::vector<std::string> allow;
};

/// Throws Error where the extension belongs to no format, or the file's folder does not exist.
void require_writable(const std::string& out) {
  const std::vector<std::string> endings{".onnx", ".xml", ".tflite", ".circle"};
  const std::string ending = std::filesystem::path(out).extension().string();
  if (std::ranges::find(endings, ending) == endings.end())
    throw Error(fmt::format("{}: unknown file extension \"{}\"; expected one of {}{}", out, ending,
                            fmt::join(endings, ", "), did_you_mean(ending, endings)));
  require_folder_of(out);
}

/// Returns 1 where the model breaks a rule: its meaning is not certain.
int convert(const ConvertOptions& options) {
  require_writable(options.out);
  const Reading reading = read_model_argument(options.in, allowed_rules(options.allow));
  const Checked found = checked(reading);
  const std::vector<Diagnostic> broken = errors_in(found.findings);
  if (!broken.empty()) return report_broken(display_name(options.in), broken);
  report_allowed(display_name(options.in), reading.allowed);
  // The whole result exists before the first file is written.
  const std::vector<WrittenFile> written = write_model(reading.model, found.types, options.out);
  std::vector<files::OutputFile> files;
  for (const WrittenFile& file : written) files.push_back({file.path, file.bytes});
  files::write_model_files(files, {.inputs = reading.files, .make_folders = false});
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Convert a model to another format, or write it again in its own");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("IN", options->in, fmt::format("a model file {}", model_endings))
      ->type_name("MODEL")
      ->required()
      ->transform(model_file);
  command
      ->add_option("OUT", options->out,
                   "file to write; its extension selects the format (for .xml, the .bin is written beside it)")
      ->type_name("FILE")
      ->required();
  add_allow(*command, options->allow);
  examples(*command,
           {{"ifcert convert model.onnx model-as-ir.xml", "OpenVINO IR, with model-as-ir.bin beside it"},
            {"ifcert convert model.tflite from-tflite.onnx", "ONNX"},
            {"ifcert convert - again.onnx <model.onnx", "reads a model from standard input and writes it again"}},
           "Exit code 1: the model breaks a rule (see ifcert check); 2: it cannot be read, or the other format cannot\n"
           "express part of it; the message names the part and its place.");
  command->callback([options, &exit_code] {
    try {
      exit_code = convert(*options);
    } catch (const Inexpressible& error) {
      throw Error(
          fmt::format("{}: cannot be written as {}: {}", display_name(options->in), options->out, error.what()));
    } catch (const UnreadableModel& error) {
      throw Error(unreadable(display_name(options->in), error));
    } catch (const std::bad_alloc& error) {
      throw Error(without_memory(display_name(options->in), error));
    }
  });
}

}  // namespace ifcert::conformance
