// ifcert show MODEL [-o FILE.dot]
#include <fmt/format.h>

#include <ifcert/reference.hpp>
#include <memory>
#include <string>

#include "conformance/commands/commands.hpp"
#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/model_files/dot.hpp"

namespace ifcert::conformance {

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "show", "A picture of a model: branches side by side, captures as arrows, broken rules in red");
  auto model = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  command->add_option("MODEL", *model, "a model file (.onnx)")->required();
  command->add_option("-o", *file, "the picture's file, FILE.dot; standard output where none is given");
  command->callback([model, file, &exit_code] {
    if (!file->empty() && !file->ends_with(".dot")) throw Error(fmt::format("{}: pictures are written as .dot", *file));
    try {
      const Reading reading = read_model(*model);
      const std::string picture = dot_of(reading.model, check(reading));
      if (file->empty())
        fmt::print("{}", picture);
      else
        replace_file(*file, picture);
      exit_code = 0;
    } catch (const UnreadableModel& error) {
      throw Error(fmt::format("{}: {}", *model, printable(error.what())));
    }
  });
}

}  // namespace ifcert::conformance
