#include "conformance/certify/rewriting_check.hpp"

#include <fmt/format.h>

#include <utility>

namespace ifcert::conformance {
namespace {

std::vector<std::string> names_of(const Graph& main, const std::vector<Slot>& slots) {
  std::vector<std::string> names;
  for (const Slot slot : slots) names.push_back(main.slots[slot].name);
  return names;
}

}  // namespace

OriginalModel::OriginalModel(const Vector& vector) {
  try {
    const Program program(legal_model(vector));
    const Graph& main = program.model().main();
    runs_ = runs_of(vector.summary.steps, program);
    inputs_ = names_of(main, main.inputs);
    outputs_ = names_of(main, main.outputs);
  } catch (const EvaluationError& error) {
    throw NoSibling(error.what());
  }
}

std::string OriginalModel::objection(const ModelFiles& rewritten) {
  try {
    Reading reading = read_model(folder_.put(rewritten));
    if (const std::vector<Diagnostic> broken = errors_in(check(reading)); !broken.empty())
      return fmt::format("it breaks {}: {}", broken.front().rule, to_string(broken.front()));
    const Program program(std::move(reading.model));
    const Graph& main = program.model().main();
    if (names_of(main, main.inputs) != inputs_ || names_of(main, main.outputs) != outputs_)
      return "its inputs or outputs have other names, or another order";
    return computes_the_same(program, runs_) ? "" : "it computes something else";
  } catch (const UnreadableModel& error) {
    return fmt::format("it cannot be read: {}", error.what());
  } catch (const EvaluationError& error) {
    return fmt::format("it cannot be run: {}", error.what());
  }
}

}  // namespace ifcert::conformance
