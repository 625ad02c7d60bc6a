#include "conformance/certify/reference_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/suite/protocol_form.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// A sibling that is wrong might loop for ever.
const RunLimits limits{.nodes = 10'000'000};

/// The inputs of a run in the order of the main graph's; one that the run leaves out is empty.
std::vector<Value> inputs_of(const json& run, const Graph& main) {
  std::vector<Value> inputs;
  for (const Slot slot : main.inputs) {
    const json& given = run.at("inputs");
    const auto found =
        std::ranges::find_if(given, [&](const json& input) { return input.at("name") == main.slots[slot].name; });
    inputs.push_back(found == given.end() ? Value{} : value_from_protocol(found->at("value")));
  }
  return inputs;
}

}  // namespace

Model legal_model(const Vector& vector) {
  try {
    Reading reading = read_model(original_path(vector.files));
    const std::vector<Diagnostic> broken = errors_in(check(reading));
    if (broken.empty()) return std::move(reading.model);
    throw NoSibling(fmt::format("the model breaks {}", broken.front().rule));
  } catch (const UnreadableModel& error) {
    throw NoSibling(fmt::format("the model cannot be read: {}", error.what()));
  }
}

std::optional<ModelRun> run_of(const json& run, const Program& program) {
  ModelRun made{.inputs = inputs_of(run, program.model().main()), .outputs = {}, .taken = {}};
  try {
    made.outputs = program.run(made.inputs, made.taken.observer(), limits);
    return made;
  } catch (const EvaluationError&) {
    return std::nullopt;
  }
}

std::vector<const json*> runs_in(const json& step) {
  std::vector<const json*> runs;
  const auto add = [&](const json& run) {
    if (!run.at("expect").contains("refused")) runs.push_back(&run);
  };
  if (step.contains("run")) add(step.at("run"));
  if (step.contains("concurrent")) std::ranges::for_each(step.at("concurrent").at("runs"), add);
  return runs;
}

std::vector<ModelRun> runs_of(const json& steps, const Program& program) {
  std::vector<ModelRun> runs;
  for (const json& step : steps) {
    for (const json* run : runs_in(step)) {
      if (auto made = run_of(*run, program)) runs.push_back(std::move(*made));
    }
  }
  return runs;
}

bool computes_the_same(const Program& program, const std::vector<ModelRun>& runs) {
  return std::ranges::all_of(runs, [&](const ModelRun& run) {
    return std::ranges::equal(program.run(run.inputs, {}, limits), run.outputs,
                              [](const Value& one, const Value& other) { return same_bits(one, other); });
  });
}

}  // namespace ifcert::conformance
