// ifcert specialise MODEL [--input NAME=FILE.npy|JSON]… [-o OUT]
#include <fmt/format.h>

#include <filesystem>
#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/edited_file.hpp"
#include "conformance/commands/held_signals.hpp"
#include "conformance/commands/input_arguments.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/commands/model_messages.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

struct SpecialiseOptions {
  std::string model, out;
  std::vector<std::string> inputs;
  double seconds = default_seconds_limit;
};

/// What becomes of the Ifs of a model.
struct Plan {
  Decisions decisions;                       // of those that are replaced
  std::map<NodeIndex, std::string> reasons;  // why others stay
  std::shared_ptr<const std::string> bytes;  // of the file
};

/// Where the decisions cannot be carried out together, tries each alone, and leaves out those that cannot.
Plan plan_of(const Model& model, std::span<const std::byte> bytes, Decided decided) {
  Plan plan;
  for (const NodeIndex& node : decided.open) plan.reasons.emplace(node, "these inputs do not decide its cond");
  try {
    plan.bytes = specialised(model, bytes, decided.decisions).bytes;
    plan.decisions = std::move(decided.decisions);
    return plan;
  } catch (const Inexpressible&) {
    for (const auto& decision : decided.decisions) {
      try {
        specialised(model, bytes, {decision});
        plan.decisions.insert(decision);
      } catch (const Inexpressible& error) {
        plan.reasons.emplace(decision.first, error.reason());
      }
    }
  }
  plan.bytes = specialised(model, bytes, plan.decisions).bytes;
  return plan;
}

/// A line for each If.
void print_plan(const Model& model, const Plan& plan) {
  const std::string_view kind = branch_word(model.format);
  const std::map<NodeIndex, std::string> places = places_of_ifs(model);
  if (places.empty()) fmt::print("the model has no If\n");
  for (const auto& [node, place] : places) {
    const auto decision = plan.decisions.find(node);
    const auto reason = plan.reasons.find(node);
    std::string what = "goes, with a branch that is not taken";
    if (reason != plan.reasons.end()) what = "stays: " + reason->second;
    if (decision != plan.decisions.end())
      what = fmt::format("replaced by its {}_{}", decision->second ? "then" : "else", kind);
    fmt::print("{}: {}\n", printable(place), printable(what));
  }
}

int specialise(const SpecialiseOptions& options) {
  if (!options.out.empty()) require_edited_name(options.model, options.out);
  Reading reading = read_model_argument(options.model);
  const std::vector<Diagnostic> broken = errors_in(checked(reading).findings);
  if (!broken.empty()) return report_broken(display_name(options.model), broken);
  const std::vector<Value> inputs = read_inputs(reading.model.main(), options.inputs);
  const HeldSignals signals;
  const RunLimits limits{.seconds = options.seconds, .interrupt = HeldSignals::end_if_any};
  const std::string bytes = read_file(options.model);
  const Plan plan = plan_of(reading.model, std::as_bytes(std::span(bytes)), decided_by(reading.model, inputs, limits));
  print_plan(reading.model, plan);
  if (!options.out.empty()) write_edited(reading, options.model, options.out, *plan.bytes);
  return 0;
}

}  // namespace

void add_specialise(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("specialise", "Replace each If whose cond some inputs decide by the nodes of its branch");
  auto options = std::make_shared<SpecialiseOptions>();
  command->add_option("MODEL", options->model, "a model file (.onnx, .xml, .tflite, .circle; or the id of a vector)")
      ->type_name("")
      ->required()
      ->transform(model_file);
  command
      ->add_option("--input", options->inputs,
                   "value of an input, as NAME=FILE.npy or NAME=JSON; the other inputs may have any value")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("-o,--out", options->out, "file to write, in the model's format; without it, nothing is written")
      ->type_name("FILE");
  examples(*command,
           {{"ifcert specialise model.onnx", "the Ifs whose cond is a constant of the model"},
            {"ifcert specialise model.onnx --input cond=true -o then.onnx", "the model for this value of cond"}},
           "The rest of the file stays as it is; inputs and outputs, too. Exit code 1: the model breaks a rule (see\n"
           "ifcert check).");
  command->callback([options, &exit_code] {
    try {
      exit_code = specialise(*options);
    } catch (const Inexpressible& error) {
      throw Error(fmt::format("{}: {}", display_name(options->model), error.what()));
    } catch (const EvaluationError& error) {
      throw Error(fmt::format("{}: {}", display_name(options->model), error.what()));
    } catch (const UnreadableModel& error) {
      throw Error(unreadable(display_name(options->model), error));
    } catch (const std::bad_alloc& error) {
      throw Error(without_memory(display_name(options->model), error));
    }
  });
}

}  // namespace ifcert::conformance
