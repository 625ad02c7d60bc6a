#include "check/inference/tflite_types.hpp"

namespace ifcert::inference {

// Rules: tflite/if/shape-of-taken-subgraph, tflite/while/growing-shape.
std::vector<std::vector<Type>> tflite_types(const Model& model) {
  std::vector<std::vector<Type>> types;
  for (const Graph& graph : model.graphs) {
    std::vector<Type>& slots = types.emplace_back();
    for (const SlotInfo& slot : graph.slots) {
      slots.push_back(slot.declared);
      slots.back().shape.reset();
    }
    for (const Constant& constant : graph.constants) slots[constant.slot] = type_of(constant.value);
  }
  const Graph& main = model.main();
  for (const Slot slot : main.inputs) types[0][slot].shape = main.slots[slot].declared.shape;
  return types;
}

}  // namespace ifcert::inference
