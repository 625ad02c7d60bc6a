#include "conformance/suite/main_inputs.hpp"

namespace ifcert::conformance {

std::vector<SlotInfo> main_inputs(const Model& model) {
  const Graph& main = model.graphs.front();
  std::vector<SlotInfo> inputs;
  inputs.reserve(main.inputs.size());
  for (const Slot input : main.inputs) inputs.push_back(main.slots[input]);
  return inputs;
}

}  // namespace ifcert::conformance
