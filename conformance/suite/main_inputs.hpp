// The inputs of a model, which a run must be given.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::conformance {

/// The main graph's inputs with their declared types, in the model's order.
inline std::vector<SlotInfo> main_inputs(const Model& model) {
  const Graph& main = model.graphs.front();
  std::vector<SlotInfo> inputs;
  inputs.reserve(main.inputs.size());
  for (const Slot input : main.inputs) inputs.push_back(main.slots[input]);
  return inputs;
}

}  // namespace ifcert::conformance
