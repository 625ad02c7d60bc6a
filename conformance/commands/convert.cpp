// ifcert convert IN OUT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/given_model.hpp"
#include "conformance/commands/told.hpp"
#include "conformance/error.hpp"
#include "conformance/near_miss.hpp"
#include "files/output.hpp"

namespace ifcert::conformance {
namespace {

struct Request {
  std::string in, out;
};

/// Throws Error where no format is written to a file of that name, or where its folder is not there.
void require_writable(const std::string& out) {
  const std::vector<std::string> endings{".onnx", ".xml", ".tflite", ".circle"};
  const std::string ending = std::filesystem::path(out).extension().string();
  if (std::ranges::find(endings, ending) == endings.end())
    throw Error(fmt::format("{}: the ending \"{}\" names no format; models are written as {}{}", out, ending,
                            fmt::join(endings, ", "), did_you_mean(ending, endings)));
  require_folder_of(out);
}

/// 1 where the model breaks a rule: what it means is not certain.
int convert(const Request& request) {
  require_writable(request.out);
  const Reading reading = read_given(request.in);
  const std::vector<Diagnostic> broken = errors_in(check(reading));
  if (!broken.empty()) return tell_broken(called(request.in), broken);
  // All of it is there before the first file is.
  const std::vector<WrittenFile> written = write_model(reading.model, request.out);
  std::vector<files::OutputFile> files;
  for (const WrittenFile& file : written) files.push_back({file.path, file.bytes});
  files::write_model_files(files, {.inputs = reading.files, .make_folders = false});
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Write a model again, in the same or another format");
  auto request = std::make_shared<Request>();
  command->add_option("IN", request->in, fmt::format("a model file {}", model_endings))->type_name("MODEL")->required();
  command
      ->add_option("OUT", request->out,
                   "the file to write, whose ending says the format; of an .xml the .bin lies beside")
      ->type_name("FILE")
      ->required();
  examples(*command,
           {{"ifcert convert model.onnx model-as-ir.xml", "OpenVINO IR; model-as-ir.bin lies beside"},
            {"ifcert convert model.tflite from-tflite.onnx", "ONNX"},
            {"ifcert convert - again.onnx <model.onnx", "a model from standard input, written again"}},
           "Exit code 1: the model breaks a rule (see ifcert check); 2: it cannot be read, or the other format cannot\n"
           "express it, and the message says what, and where.");
  command->callback([request, &exit_code] {
    try {
      exit_code = convert(*request);
    } catch (const Inexpressible& error) {
      throw Error(fmt::format("{}: cannot be written as {}: {}", called(request->in), request->out, error.what()));
    } catch (const UnreadableModel& error) {
      throw Error(fmt::format("{}: {}", called(request->in), error.what()));
    } catch (const std::bad_alloc& error) {
      throw Error(without_memory(called(request->in), error));
    }
  });
}

}  // namespace ifcert::conformance
