#include "conformance/input_names.hpp"

namespace ifcert::conformance {

std::vector<std::string> input_names(const Model& model) {
  const Graph& main = model.graphs.front();
  std::vector<std::string> names;
  names.reserve(main.inputs.size());
  for (const Slot input : main.inputs) names.push_back(main.slots[input].name);
  return names;
}

}  // namespace ifcert::conformance
