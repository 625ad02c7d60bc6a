// How subgraphs reach each other through If and While: never themselves, and not too deep.
#pragma once

#include <ifcert/graph.hpp>

#include "findings.hpp"

namespace ifcert::tflite {

/// Reports each operator that enters a subgraph which leads to it, and takes its bodies away, so that nobody follows
/// them without end. Throws UnreadableModel where subgraphs nest deeper than nesting_limit.
void check_nesting(Model& model, Findings& findings);

}  // namespace ifcert::tflite
