// Checks that subgraphs do not reach themselves through If and While, and are not nested too deep.
#pragma once

#include <ifcert/graph.hpp>

#include "model/findings.hpp"

namespace ifcert::tflite {

/// Reports each operator that enters a subgraph which leads back to it, and removes its bodies, so that nobody follows
/// them for ever. Throws UnreadableModel where subgraphs nest deeper than nesting_limit.
void check_nesting(Model& model, Findings& findings);

}  // namespace ifcert::tflite
