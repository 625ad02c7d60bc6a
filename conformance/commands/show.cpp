// ifcert show MODEL [-o FILE.svg|FILE.html|FILE.dot] [--allow RULE]…
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/allowed_rules.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/commands/model_messages.hpp"
#include "conformance/drawing/drawing.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

enum class Form : std::uint8_t { dot, svg, html };

/// The form that the file's extension selects; DOT where there is no file. Throws Error.
Form form_of(const std::string& file) {
  if (file.empty() || file.ends_with(".dot")) return Form::dot;
  if (file.ends_with(".svg")) return Form::svg;
  if (file.ends_with(".html")) return Form::html;
  throw Error(fmt::format("{}: expected a name that ends in .svg, .html or .dot{}", file,
                          did_you_mean(std::filesystem::path(file).extension().string(), {".svg", ".html", ".dot"})));
}

std::string draw(Form form, const Reading& reading, const std::string& title) {
  const Checked found = checked(reading);
  const std::vector<Diagnostic> broken = errors_in(found.findings);
  switch (form) {
    case Form::svg:
      return drawing::svg_of(reading.model, found.types, broken);
    case Form::html:
      return drawing::page_of(reading.model, found.types, broken, title);
    case Form::dot:
      break;
  }
  return drawing::dot_of(reading.model, found.types, broken);
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("show", "Draw a model: branches side by side, captures as dashed lines, broken rules in red");
  auto model = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  auto allow = std::make_shared<std::vector<std::string>>();
  command->add_option("MODEL", *model, fmt::format("a model file {}", model_endings))
      ->type_name("")
      ->required()
      ->transform(model_file);
  command->add_option("-o", *file, "file to write: FILE.svg, FILE.html or FILE.dot (default: DOT on standard output)")
      ->type_name("FILE");
  add_allow(*command, *allow);
  examples(*command, {{"ifcert show model.onnx -o model.html", "a page to fold, search and follow values in"},
                      {"ifcert show model.tflite -o model.svg", "a drawing"},
                      {"ifcert show model.onnx | dot -Tpng -o model.png", "a drawing by Graphviz"}});
  command->callback([model, file, allow, &exit_code] {
    const Form form = form_of(*file);
    if (!file->empty()) require_folder_of(*file);
    const AllowedRules allowed = allowed_rules(*allow);
    try {
      const Reading reading = read_model_argument(*model, allowed);
      report_allowed(display_name(*model), reading.allowed);
      const std::string picture = draw(form, reading, std::filesystem::path(display_name(*model)).filename().string());
      if (file->empty())
        fmt::print("{}", picture);
      else
        replace_file(*file, picture, reading.files);
      exit_code = 0;
    } catch (const UnreadableModel& error) {
      throw Error(unreadable(display_name(*model), error));
    } catch (const std::bad_alloc& error) {
      throw Error(without_memory(display_name(*model), error));
    }
  });
}

}  // namespace ifcert::conformance
