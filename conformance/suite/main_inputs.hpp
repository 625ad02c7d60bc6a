#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::conformance {

/// The main graph's inputs with their declared types, in the model's order.
std::vector<SlotInfo> main_inputs(const Model& model);

}  // namespace ifcert::conformance
