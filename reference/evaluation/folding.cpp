#include "evaluation/folding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ifcert {
namespace {

// None of these operators returns more bytes than its operands have together; Constant returns no more than its
// attribute has. A chain of Concat(x, x) still doubles at each step; the budget bounds that.
constexpr std::array<std::string_view, 8> rearranging{"Concat", "Constant", "Identity",  "Reshape",
                                                      "Slice",  "Squeeze",  "Transpose", "Unsqueeze"};

bool rearranges(const kernels::Operator* op) {
  return op != nullptr && std::ranges::find(rearranging, op->name) != rearranging.end();
}

// The node's operands; nullopt unless all of them are known, and are tensors of numbers.
std::optional<std::vector<Value>> known_operands(const Node& node, const std::vector<Value>& known) {
  std::vector<Value> operands;
  for (const Slot slot : node.inputs) {
    operands.push_back(slot == no_slot ? Value{} : known[slot]);
    if (slot == no_slot) continue;
    const Tensor* tensor = operands.back().tensor();
    if (tensor == nullptr || tensor->type == ElementType::string) return std::nullopt;
  }
  return operands;
}

std::size_t bytes_of(std::span<const Value> operands) {
  std::size_t bytes = 0;
  for (const Value& value : operands) {
    if (!value.empty()) bytes += value.tensor()->data.size() + value.tensor()->dims.size() * sizeof(std::int64_t);
  }
  return bytes;
}

// The node's outputs; an empty list if the operator refuses the operands.
std::vector<Value> outputs_of(const Node& node, const kernels::Operator& op, std::span<const Value> operands) {
  std::vector<Value> outputs(node.outputs.size());
  try {
    op.evaluate({node, operands}, outputs);
  } catch (const EvaluationError&) {
    return {};
  } catch (const std::length_error&) {
    return {};
  }
  return outputs;
}

// read[slot]: the slot is an output of the graph, or an operand or a capture of a node that is not folded.
std::vector<bool> slots_read(const Graph& graph, std::span<const NodePlan> plans) {
  std::vector<bool> read(graph.slots.size());
  for (const Slot slot : graph.outputs) read[slot] = true;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (plans[i].kind == NodePlan::Kind::folded) continue;
    for (const Slot slot : graph.nodes[i].inputs) {
      if (slot != no_slot) read[slot] = true;
    }
    for (const Body& body : graph.nodes[i].bodies) {
      for (const Capture& capture : body.captures) read[capture.outer] = true;
    }
  }
  return read;
}

// Those results of folded nodes that a run still needs.
std::vector<Constant> results_read(const Graph& graph, std::span<const NodePlan> plans, std::span<const Value> known) {
  const std::vector<bool> read = slots_read(graph, plans);
  std::vector<Constant> results;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (plans[i].kind != NodePlan::Kind::folded) continue;
    for (const Slot slot : graph.nodes[i].outputs) {
      if (slot != no_slot && read[slot]) results.push_back({slot, known[slot]});
    }
  }
  return results;
}

/// Folds constants in the graphs of a model. `known[slot]` is the value of a slot of the graph, if it is the same in
/// every run; otherwise empty.
struct Folding {
  const Model& model;
  Plans& plans;
  std::vector<std::vector<Constant>>& results;  // by graph
  std::size_t budget = std::size_t{64} << 20;   // the bytes of operands that folding may still rearrange

  void fold_node(const Node& node, NodePlan& plan, std::vector<Value>& known) {
    if (!rearranges(plan.op)) return;
    const auto operands = known_operands(node, known);
    if (!operands || bytes_of(*operands) > budget) return;
    std::vector<Value> outputs = outputs_of(node, *plan.op, *operands);
    if (outputs.empty()) return;
    budget -= bytes_of(*operands);
    plan.kind = NodePlan::Kind::folded;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (node.outputs[i] != no_slot) known[node.outputs[i]] = std::move(outputs[i]);
    }
  }

  /// Folds a graph and the bodies in it. `known` has the values that the graph captures.
  void fold_graph(GraphIndex index, std::vector<Value> known) {
    const Graph& graph = model.graphs[index];
    for (const Constant& constant : graph.constants) known[constant.slot] = constant.value;
    for (const Slot slot : graph.inputs) known[slot] = {};  // a run may override an input's default
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) fold_node(graph.nodes[i], plans[index][i], known);
    results[index] = results_read(graph, plans[index], known);
    for (const Node& node : graph.nodes) {
      for (const Body& body : node.bodies) {
        if (!is_written_in(node, body)) continue;
        std::vector<Value> captured(model.graphs[body.graph].slots.size());
        for (const Capture& capture : body.captures) captured[capture.inner] = known[capture.outer];
        fold_graph(body.graph, std::move(captured));
      }
    }
  }
};

}  // namespace

// Rule: onnx/if/constant-cond-same-result.
std::vector<std::vector<Constant>> fold_constants(const Model& model, Plans& plans) {
  std::vector<std::vector<Constant>> results(model.graphs.size());
  if (model.format != Format::tflite)
    Folding{model, plans, results}.fold_graph(0, std::vector<Value>(model.main().slots.size()));
  return results;
}

}  // namespace ifcert
