// Constant folding: nodes that only rearrange constants (Constant, Slice, Concat, …) are evaluated once, before the
// first run.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "evaluation/plan.hpp"

namespace ifcert {

/// Folds constants in the main graph and in the bodies in it, and marks the folded nodes in `plans`. Returns, for each
/// graph, the results of folded nodes that a run still needs: outputs of the graph, and what a node that is not folded
/// reads or captures. A node whose operator refuses its operands is not folded, so its error is reported only by a run
/// that reaches the node. Folds nothing in a model of TensorFlow Lite, where several nodes may enter one subgraph with
/// different captures.
std::vector<std::vector<Constant>> fold_constants(const Model& model, Plans& plans);

}  // namespace ifcert
