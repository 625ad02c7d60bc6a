// ifcert convert IN OUT
#include <fmt/format.h>

#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/error.hpp"
#include "conformance/output.hpp"
#include "conformance/printable.hpp"

namespace ifcert::conformance {
namespace {

struct Request {
  std::string in, out;
};

/// 1 where the model breaks a rule: what it means is not certain.
int convert(const Request& request) {
  const Reading reading = read_model(request.in);
  const std::vector<Diagnostic> broken = errors_in(check(reading));
  if (!broken.empty()) {
    fmt::print(stderr, "ifcert: {}: {}\n", request.in, printable(to_string(broken.front())));
    if (broken.size() > 1)
      fmt::print(stderr, "ifcert: {}: and {} more; see ifcert check\n", request.in, broken.size() - 1);
    return 1;
  }
  // All of it is there before the first file is.
  const std::vector<WrittenFile> written = write_model(reading.model, request.out);
  std::vector<OutputFile> files;
  for (const WrittenFile& file : written) files.push_back({file.path, file.bytes});
  write_model_files(files, {.inputs = reading.files, .make_folders = true});
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Write a model again, in the same or another format");
  auto request = std::make_shared<Request>();
  command->add_option("IN", request->in, "a model file (.onnx, .tflite, .circle, or .xml with its .bin)")->required();
  command
      ->add_option("OUT", request->out,
                   "the file to write, whose ending says the format; of an .xml the .bin lies beside")
      ->required();
  command->footer(
      "Exit code 1 where the model breaks a rule (see ifcert check), 2 where it cannot be read, or where the other "
      "format "
      "cannot express it: the message says what, and where.");
  command->callback([request, &exit_code] {
    try {
      exit_code = convert(*request);
    } catch (const Inexpressible& error) {
      throw Error(fmt::format("{}: cannot be written as {}: {}", request->in, request->out, printable(error.what())));
    } catch (const UnreadableModel& error) {
      throw Error(fmt::format("{}: {}", request->in, printable(error.what())));
    }
  });
}

}  // namespace ifcert::conformance
