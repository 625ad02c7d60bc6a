#include "formats/tflite/operator_order.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace ifcert::tflite {

TopologicalOrder operator_order(const Graph& graph) {
  std::vector<std::optional<std::uint32_t>> makers(graph.slots.size());
  const auto count = static_cast<std::uint32_t>(graph.nodes.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const Slot slot : graph.nodes[i].outputs) {
      if (slot != no_slot && !makers[slot]) makers[slot] = i;
    }
  }
  std::vector<Precedence> precedences;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const Slot slot : graph.nodes[i].inputs) {
      if (slot != no_slot && makers[slot]) precedences.push_back({*makers[slot], i});
    }
  }
  return topological_order(count, precedences);
}

namespace {

bool has_state(const schema::Tensor& tensor) {
  return tensor.is_variable() || tensor.type() == schema::TensorType_RESOURCE ||
         tensor.type() == schema::TensorType_VARIANT;
}

bool has_effects(const schema::OperatorCode& code) {
  const std::array codes{static_cast<schema::BuiltinOperator>(code.deprecated_builtin_code()), code.builtin_code()};
  return std::ranges::any_of(codes, [](schema::BuiltinOperator each) {
    return each == schema::BuiltinOperator_CUSTOM || each == schema::BuiltinOperator_CALL_ONCE;
  });
}

/// Whether one of the list's tables is such; the list may be missing.
template <class Table, class Is>
bool any_of(const flatbuffers::Vector<flatbuffers::Offset<Table>>* list, Is is) {
  for (std::uint32_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (is(*list->Get(i))) return true;
  }
  return false;
}

}  // namespace

bool order_has_effects(const schema::Model& model) {
  return any_of(model.operator_codes(), has_effects) || any_of(model.subgraphs(), [](const schema::SubGraph& subgraph) {
           return any_of(subgraph.tensors(), has_state);
         });
}

}  // namespace ifcert::tflite
