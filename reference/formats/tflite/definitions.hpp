// Where each tensor of a subgraph gets its value: from an input, a buffer, or one operator that stands before its uses.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "findings.hpp"

namespace ifcert::tflite {

/// Checks a subgraph whose nodes, inputs, outputs and constants are read. `variable[slot]`: the tensor keeps its value
/// from run to run, so that it is there without being made.
void check_definitions(const Graph& graph, const std::vector<bool>& variable, const Place& place, Findings& findings);

}  // namespace ifcert::tflite
