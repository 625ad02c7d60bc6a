// Each tensor of a subgraph gets its value from an input, a buffer, or one operator before its uses.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "model/findings.hpp"

namespace ifcert::tflite {

/// Checks a subgraph whose nodes, inputs, outputs and constants are read. `unmade[slot]`: the tensor needs no source,
/// or a fault of it was reported. `has_effects`: the order of the operators may say more than the tensors do.
void check_definitions(const Graph& graph, const std::vector<bool>& unmade, bool has_effects, const Place& place,
                       Findings& findings);

}  // namespace ifcert::tflite
