// What the reader checks of subgraphs once they are read: that each tensor gets its value from an input, a buffer or
// one operator before its uses (definitions.cpp), and that none reaches itself through If and While (nesting.cpp).
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "model/findings.hpp"

namespace ifcert::tflite {

/// Checks a subgraph whose nodes, inputs, outputs and constants are read. `unmade[slot]`: the tensor needs no source,
/// or a fault of it was reported. `has_effects`: the order of the operators may say more than the tensors do.
void check_definitions(const Graph& graph, const std::vector<bool>& unmade, bool has_effects, const Place& place,
                       Findings& findings);

/// Reports each operator that enters a subgraph which leads back to it, and removes its bodies, so that nobody follows
/// them for ever. Throws UnreadableModel where subgraphs nest deeper than nesting_limit.
void check_nesting(Model& model, Findings& findings);

}  // namespace ifcert::tflite
