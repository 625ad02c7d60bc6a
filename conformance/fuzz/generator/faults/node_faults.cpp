// Faults of other nodes, of graphs and of functions.
#include <algorithm>
#include <array>
#include <ifcert/reference.hpp>
#include <optional>
#include <vector>

#include "conformance/fuzz/generator/faults/fault.hpp"

namespace ifcert::generator::faults {
namespace {

using Files = std::vector<WrittenFile>;

Files written_as_onnx(const Model& model) {
  return {{"model.onnx", onnx::write(model)}};
}

/// Adds two constants that do not fit each other.
Files insert_sum(Model model, NodePosition at, std::int64_t count, ElementType element) {
  const Slot first = insert_constant(model, at, 2);
  const Slot second = insert_constant(model, {at.graph, at.node + 1}, count, element);
  insert(model, {at.graph, at.node + 2}, "Add", {first, second});
  return written_as_onnx(model);
}

Files sum_of_two_types(Model model, Random& random) {
  const NodePosition at = *any_position(all_positions(model), random);
  return insert_sum(std::move(model), at, 2, ElementType::int64);
}

/// Only a node that is certain to run must have shapes that fit.
Files sum_of_two_shapes(Model model, Random& random) {
  const NodePosition at{0, random.below(model.main().nodes.size() + 1)};
  return insert_sum(std::move(model), at, 3, ElementType::float32);
}

Files unknown_operator(Model model, Random& random) {
  insert(model, *any_position(all_positions(model), random), "NoSuchOperator", {});
  return written_as_onnx(model);
}

Files graph_without_name(Model model, Random& random) {
  std::vector<NodePosition> positions = all_ifs(model);
  const auto position = any_position(positions, random);
  if (!position) return {};
  const Node& node = model.graphs[position->graph].nodes[position->node];
  model.graphs[node.bodies[random.below(2)].graph].name.clear();
  return written_as_onnx(model);
}

std::vector<NodePosition> all_calls(const Model& model) {
  std::vector<NodePosition> positions = all_positions(model);
  std::erase_if(positions, [&](const NodePosition& position) {
    const std::vector<Node>& nodes = model.graphs[position.graph].nodes;
    return position.node == nodes.size() || !nodes[position.node].call;
  });
  return positions;
}

/// The calls that pass all operands.
Files call_with_too_many_inputs(Model model, Random& random) {
  std::vector<NodePosition> positions = all_calls(model);
  std::erase_if(positions, [&](const NodePosition& position) {
    const Node& call = model.graphs[position.graph].nodes[position.node];
    return call.inputs.size() < model.graphs[call.bodies[0].graph].inputs.size();
  });
  const auto position = any_position(positions, random);
  if (!position) return {};
  const Slot surplus = insert_constant(model, *position, 1);
  model.graphs[position->graph].nodes[position->node + 1].inputs.push_back(surplus);
  return written_as_onnx(model);
}

/// Inserts a call of the function with that index at that position.
void insert_call(Model& model, std::size_t function, NodePosition at) {
  const Function& called = model.functions[function];
  insert(model, at, called.name, {});
  Node& call = model.graphs[at.graph].nodes[at.node];
  call.domain = called.domain;
  call.version = 1;
  call.call = true;
  call.bodies = {{"function", called.graph, {}, {}}};
  for (const std::string& name : called.required) call.attributes.emplace(name, std::int64_t{1});
}

/// A function to which the calls pass no graphs.
std::optional<std::size_t> any_plain_function(const Model& model, Random& random) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    if (!model.functions[i].name.starts_with("passing")) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  return found[random.below(found.size())];
}

Files function_that_calls_itself(Model model, Random& random) {
  const auto function = any_plain_function(model, random);
  if (!function) return {};
  insert_call(model, *function, {model.functions[*function].graph, 0});
  return written_as_onnx(model);
}

Files branch_that_calls_its_function(Model model, Random& random) {
  const auto function = any_plain_function(model, random);
  if (!function) return {};
  for (const Node& node : model.graphs[model.functions[*function].graph].nodes) {
    if (node.call || node.op != "If") continue;
    insert_call(model, *function, {node.bodies[random.below(2)].graph, 0});
    return written_as_onnx(model);
  }
  return {};
}

constexpr std::array node_table{
    Fault{"sum-of-two-types", "onnx/model/operands-fit", sum_of_two_types},
    Fault{"sum-of-two-shapes", "onnx/model/shapes-fit", sum_of_two_shapes},
    Fault{"unknown-operator", "onnx/model/operators-are-declared", unknown_operator},
    Fault{"graph-without-name", "onnx/model/graphs-have-names", graph_without_name},
    Fault{"call-with-too-many-inputs", "onnx/model/call-fits-function", call_with_too_many_inputs},
    Fault{"function-that-calls-itself", "onnx/model/no-function-recursion", function_that_calls_itself},
    Fault{"branch-that-calls-its-function", "onnx/if/no-function-recursion", branch_that_calls_its_function},
};

}  // namespace

std::span<const Fault> faults_of_nodes() {
  return node_table;
}

}  // namespace ifcert::generator::faults
