// What decides stays: a value that is an output is computed, whoever else reads it.
#include <algorithm>
#include <ifcert/further_outputs.hpp>
#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/certify/reference_runs.hpp"
#include "conformance/certify/siblings.hpp"
#include "conformance/certify/without_ifs.hpp"
#include "conformance/suite/protocol_form.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// Whether a node other than a constant makes the value.
bool is_computed(const Graph& graph, Slot slot) {
  return std::ranges::any_of(graph.nodes, [slot](const Node& node) {
    return node.op != "Constant" && std::ranges::find(node.outputs, slot) != node.outputs.end();
  });
}

/// The conds of the main graph's Ifs, each of which every run reads.
std::vector<Slot> computed_conds(const Model& model) {
  const Graph& main = model.main();
  std::vector<Slot> conds;
  for (const auto& [index, place] : places_of_ifs(model)) {
    if (index.graph != 0) continue;
    const Slot cond = main.nodes[index.node].inputs.front();
    const bool is_returned = std::ranges::find(main.outputs, cond) != main.outputs.end();
    const bool is_known = is_returned || std::ranges::find(conds, cond) != conds.end();
    if (!is_known && is_computed(main, cond)) conds.push_back(cond);
  }
  if (conds.empty()) throw NoSibling("no node of the main graph makes a cond of an If there");
  return conds;
}

/// The model while its conds are made outputs.
struct Watched {
  Program program;            // of the model that returns them
  std::vector<Slot> conds;    // the last outputs
  std::vector<Type> types{};  // of each, in all runs
};

Watched watched(Model model) {
  std::vector<Slot> conds = computed_conds(model);
  std::ranges::copy(conds, std::back_inserter(model.graphs.front().outputs));
  return {.program = Program(std::move(model)), .conds = std::move(conds)};
}

/// One whose shape differs between runs has none.
void add_types(std::span<const Value> conds, std::vector<Type>& types) {
  for (std::size_t i = 0; i < conds.size(); ++i) {
    Type type = type_of(conds[i]);
    if (i == types.size())
      types.push_back(std::move(type));
    else if (types[i] != type)
      types[i].shape.reset();
  }
}

/// A run that the reference refuses keeps its outcome.
void expect_conds_in_run(json& run, Watched& model) {
  if (run.at("expect").contains("either"))
    throw NoSibling("a run may have several outcomes, and with them several conds");
  const auto made = run.at("expect").contains("outputs") ? run_of(run, model.program) : std::nullopt;
  if (!made) return;
  const std::span conds = std::span(made->outputs).last(model.conds.size());
  add_types(conds, model.types);
  for (json& cond : named_values(model.program.model().main(), model.conds, conds))
    run.at("expect").at("outputs").push_back(std::move(cond));
}

/// A held output that is read again is what its run returned.
void expect_conds_in_steps(json& steps, Watched& model) {
  for (json& step : steps) {
    if (step.contains("run")) expect_conds_in_run(step.at("run"), model);
    if (step.contains("reread"))
      step.at("reread").at("expect") = steps.at(step.at("reread").at("step").get<std::size_t>()).at("run").at("expect");
    if (!step.contains("concurrent")) continue;
    for (json& run : step.at("concurrent").at("runs")) expect_conds_in_run(run, model);
  }
  if (model.types.empty()) throw NoSibling("the reference refuses every run");
}

/// The vector's model gets the further outputs, and its steps expect them.
std::vector<Sibling> add_conds(Vector& vector) {
  const Model model = legal_model(vector);
  Watched known = watched(model);
  expect_conds_in_steps(vector.summary.steps, known);
  std::vector<FurtherOutput> outputs;
  for (std::size_t i = 0; i < known.conds.size(); ++i) outputs.push_back({known.conds[i], known.types[i]});
  std::string& bytes = vector.files.bytes.at(vector.files.model);
  const Specialised made = with_outputs(model, std::as_bytes(std::span(bytes)), outputs);
  bytes = *made.bytes;
  return without_ifs(vector, made.reading.model);
}

}  // namespace

WithConds with_conds(const Vector& vector) {
  WithConds made{vector, {}};
  made.without_ifs = siblings_or_reason([&] { return add_conds(made.vector); });
  return made;
}

}  // namespace ifcert::conformance
