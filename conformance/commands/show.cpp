// ifcert show MODEL [-o FILE.svg|FILE.dot]
#include <fmt/format.h>

#include <ifcert/reference.hpp>
#include <memory>
#include <string>

#include "conformance/commands/commands.hpp"
#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/model_files/dot.hpp"
#include "conformance/model_files/drawing.hpp"

namespace ifcert::conformance {
namespace {

using Draw = std::string(const Model& model, std::span<const Diagnostic> broken);

/// The form that the file's name asks for; .dot where there is no file. Throws Error.
const Draw* drawer_for(const std::string& file) {
  if (file.empty() || file.ends_with(".dot")) return dot_of;
  if (file.ends_with(".svg")) return svg_of;
  throw Error(fmt::format("{}: pictures are written as .svg or .dot", file));
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "show", "A picture of a model: branches side by side, captures as arrows, broken rules in red");
  auto model = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  command->add_option("MODEL", *model, "a model file (.onnx)")->required();
  command->add_option("-o", *file, "the picture's file, FILE.svg or FILE.dot; standard output where none is given");
  command->callback([model, file, &exit_code] {
    const Draw* draw = drawer_for(*file);
    try {
      const Reading reading = read_model(*model);
      const std::string picture = draw(reading.model, check(reading));
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
