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
std::vector<bool> slots_read(const Graph& graph, const std::vector<bool>& folded) {
  std::vector<bool> read(graph.slots.size());
  for (const Slot slot : graph.outputs) read[slot] = true;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (folded[i]) continue;
    for (const Slot slot : graph.nodes[i].inputs) {
      if (slot != no_slot) read[slot] = true;
    }
    for (const Body& body : graph.nodes[i].bodies) {
      for (const Capture& capture : body.captures) read[capture.outer] = true;
    }
  }
  return read;
}

}  // namespace

Folded fold_constants(const Graph& graph, std::span<const kernels::Operator* const> operators,
                      std::vector<Value> captured, std::size_t& budget) {
  std::vector<Value> known = std::move(captured);
  for (const Constant& constant : graph.constants) known[constant.slot] = constant.value;
  for (const Slot slot : graph.inputs) known[slot] = {};  // a run may override an input's default
  Folded folded{{}, std::vector<bool>(graph.nodes.size()), {}};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!rearranges(operators[i])) continue;
    const auto operands = known_operands(node, known);
    if (!operands || bytes_of(*operands) > budget) continue;
    std::vector<Value> outputs = outputs_of(node, *operators[i], *operands);
    if (outputs.empty()) continue;
    budget -= std::min(budget, bytes_of(*operands) + bytes_of(outputs));
    folded.nodes[i] = true;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (node.outputs[k] != no_slot) known[node.outputs[k]] = std::move(outputs[k]);
    }
  }
  const std::vector<bool> read = slots_read(graph, folded.nodes);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!folded.nodes[i]) continue;
    for (const Slot slot : graph.nodes[i].outputs) {
      if (slot != no_slot && read[slot]) folded.constants.push_back({slot, known[slot]});
    }
  }
  folded.known = std::move(known);
  return folded;
}

}  // namespace ifcert
