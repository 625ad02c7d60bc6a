// Faults of TensorFlow Lite: of If and While, and of the operators in their subgraphs.
#include <array>
#include <ifcert/reference.hpp>

#include "conformance/fuzz/generator/faults/fault.hpp"

namespace ifcert::generator::faults {
namespace {

using Files = std::vector<WrittenFile>;

/// A control flow operator in any subgraph of the translated model.
struct Found {
  Model model;
  GraphIndex graph = 0;
  std::size_t node = 0;

  Node& op() { return model.graphs[graph].nodes[node]; }
};

std::optional<Found> any_operator(const Model& model, Random& random, std::string_view name) {
  Found found{translate(model, Format::tflite)};
  std::vector<NodePosition> positions;
  for (GraphIndex graph = 0; graph < found.model.graphs.size(); ++graph) {
    for (std::size_t i = 0; i < found.model.graphs[graph].nodes.size(); ++i) {
      if (found.model.graphs[graph].nodes[i].op == name) positions.push_back({graph, i});
    }
  }
  const auto position = any_position(positions, random);
  if (!position) return std::nullopt;
  found.graph = position->graph;
  found.node = position->node;
  return found;
}

Files written_as_tflite(const Model& model) {
  return {{"model.tflite", tflite::write(model, tflite::Identifier::tflite)}};
}

/// Adds a constant with `count` elements to the subgraph.
Slot add_constant(Graph& graph, ElementType element, std::int64_t count) {
  std::byte* bytes = nullptr;
  Tensor tensor{element, {count}, Buffer::allocate(bytes_of(element, static_cast<std::uint64_t>(count)), &bytes), {}};
  const Slot slot = graph.add_slot("surplus", Type::tensor(element, static_shape(tensor.dims)));
  graph.constants.push_back({slot, Value(std::move(tensor))});
  return slot;
}

Files other_cond(const Model& model, Random& random, ElementType element, std::int64_t count) {
  auto found = any_operator(model, random, "If");
  if (!found) return {};
  const Slot cond = add_constant(found->model.graphs[found->graph], element, count);
  found->op().inputs[0] = cond;
  return written_as_tflite(found->model);
}

Files number_as_tflite_cond(Model model, Random& random) {
  return other_cond(model, random, ElementType::int32, 1);
}

/// Adds an output to a body that the operator does not have.
Files surplus_body_output(const Model& model, Random& random, std::string_view name, std::size_t body) {
  auto found = any_operator(model, random, name);
  if (!found) return {};
  Graph& graph = found->model.graphs[found->op().bodies[body].graph];
  graph.outputs.push_back(add_constant(graph, ElementType::float32, 1));
  return written_as_tflite(found->model);
}

Files surplus_output_of_branch(Model model, Random& random) {
  return surplus_body_output(model, random, "If", random.below(2));
}

Files surplus_output_of_body(Model model, Random& random) {
  return surplus_body_output(model, random, "While", 1);
}

Files two_conds_of_while(Model model, Random& random) {
  return surplus_body_output(model, random, "While", 0);
}

Files number_as_cond_of_while(Model model, Random& random) {
  auto found = any_operator(model, random, "While");
  if (!found) return {};
  Graph& cond = found->model.graphs[found->op().bodies[0].graph];
  cond.outputs = {add_constant(cond, ElementType::int32, 1)};
  return written_as_tflite(found->model);
}

/// Adds an output to an If, for which the branches return different types.
Files two_tflite_types(Model model, Random& random) {
  auto found = any_operator(model, random, "If");
  if (!found) return {};
  constexpr std::array types{ElementType::float32, ElementType::int32};
  for (std::size_t i = 0; i < types.size(); ++i) {
    Graph& graph = found->model.graphs[found->op().bodies[i].graph];
    graph.outputs.push_back(add_constant(graph, types[i], 1));
  }
  const Slot output = found->model.graphs[found->graph].add_slot("surplus", Type::tensor(ElementType::float32));
  found->op().outputs.push_back(output);
  return written_as_tflite(found->model);
}

Files tensors_of_two_types(Model model, Random& random) {
  auto found = any_operator(model, random, "If");
  if (!found) return {};
  Graph& graph = found->model.graphs[found->op().bodies[random.below(2)].graph];
  Node sum;
  sum.op = "ADD";
  sum.version = 1;
  sum.inputs = {add_constant(graph, ElementType::float32, 1), add_constant(graph, ElementType::int32, 1)};
  sum.outputs = {graph.add_slot("surplus", Type::tensor(ElementType::float32))};
  graph.nodes.push_back(std::move(sum));
  return written_as_tflite(found->model);
}

Files used_before_made(Model model, Random& random) {
  auto found = any_operator(model, random, "If");
  if (!found) return {};
  Graph& graph = found->model.graphs[found->op().bodies[random.below(2)].graph];
  const Slot late = graph.add_slot("late", Type::tensor(ElementType::float32, static_shape({1})));
  for (const bool reads : {true, false}) {
    Node node;
    node.op = "NEG";
    node.version = 1;
    node.inputs = {reads ? late : add_constant(graph, ElementType::float32, 1)};
    node.outputs = {reads ? graph.add_slot("surplus", Type::tensor(ElementType::float32)) : late};
    graph.nodes.push_back(std::move(node));
  }
  return written_as_tflite(found->model);
}

Files produced_twice(Model model, Random& random) {
  auto found = any_operator(model, random, "If");
  if (!found) return {};
  Graph& graph = found->model.graphs[found->op().bodies[random.below(2)].graph];
  const Slot made = graph.add_slot("surplus", Type::tensor(ElementType::float32));
  for (int i = 0; i < 2; ++i) {
    Node node;
    node.op = "NEG";
    node.version = 1;
    node.inputs = {add_constant(graph, ElementType::float32, 1)};
    node.outputs = {made};
    graph.nodes.push_back(std::move(node));
  }
  return written_as_tflite(found->model);
}

constexpr std::array tflite_table{
    Fault{"number-as-cond", "tflite/if/cond-form", number_as_tflite_cond},
    Fault{"surplus-output-of-branch", "tflite/if/outputs-positional", surplus_output_of_branch},
    Fault{"surplus-output-of-body", "tflite/while/counts-agree", surplus_output_of_body},
    Fault{"two-conds-of-while", "tflite/while/cond-output", two_conds_of_while},
    Fault{"number-as-cond-of-while", "tflite/while/cond-output", number_as_cond_of_while},
    Fault{"two-types", "tflite/subgraph/types-agree", two_tflite_types},
    Fault{"sum-of-two-types", "tflite/file/operands-fit", tensors_of_two_types},
    Fault{"used-before-made", "tflite/file/made-before-use", used_before_made},
    Fault{"made-twice", "tflite/file/one-producer", produced_twice},
};

}  // namespace

std::span<const Fault> faults_of_tflite() {
  return tflite_table;
}

}  // namespace ifcert::generator::faults
