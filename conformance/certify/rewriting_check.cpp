#include "conformance/certify/rewriting_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ifcert::conformance {
namespace {

std::vector<std::string> names_of(const Graph& main, const std::vector<Slot>& slots) {
  std::vector<std::string> names;
  for (const Slot slot : slots) names.push_back(main.slots[slot].name);
  return names;
}

bool are_the_same(std::vector<std::string> one, std::vector<std::string> other) {
  std::ranges::sort(one);
  std::ranges::sort(other);
  return one == other;
}

/// The values in the order of these names. A name that is there twice takes the value in its place.
std::vector<Value> in_order(const std::vector<Value>& values, const std::vector<std::string>& names,
                            const std::vector<std::string>& order) {
  std::vector<Value> ordered;
  for (std::size_t i = 0; i < order.size() && i < values.size(); ++i) {
    const bool is_alone = std::ranges::count(names, order[i]) == 1;
    const auto place = is_alone ? std::ranges::find(names, order[i]) - names.begin() : static_cast<std::ptrdiff_t>(i);
    ordered.push_back(values[static_cast<std::size_t>(place)]);
  }
  return ordered;
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
    const std::vector<std::string> inputs = names_of(main, main.inputs), outputs = names_of(main, main.outputs);
    if (!are_the_same(inputs, inputs_) || !are_the_same(outputs, outputs_))
      return "its inputs or outputs have other names";
    std::vector<ModelRun> runs;
    for (const ModelRun& run : runs_) {
      runs.push_back({.inputs = in_order(run.inputs, inputs_, inputs),
                      .outputs = in_order(run.outputs, outputs_, outputs),
                      .taken = {}});
    }
    return computes_the_same(program, runs) ? "" : "it computes something else";
  } catch (const UnreadableModel& error) {
    return fmt::format("it cannot be read: {}", error.what());
  } catch (const EvaluationError& error) {
    return fmt::format("it cannot be run: {}", error.what());
  }
}

}  // namespace ifcert::conformance
