// Constant folding: nodes that only rearrange constants (Constant, Slice, Concat, …) are evaluated once, before the
// first run.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "kernels/operator.hpp"

namespace ifcert {

/// The folded nodes of a graph, and their results.
struct Folded {
  std::vector<Constant> constants;  // the results that the graph returns or its other nodes read
  std::vector<bool> nodes;          // nodes[i]: node i is folded; runs do not evaluate it
  std::vector<Value> known;         // known[slot]: the value, if it is the same in every run; otherwise empty
};

/// Folds a graph that is not part of a function. `captured[slot]` is the value that the graph captures in this slot, if
/// that is a constant; otherwise empty. `operators[i]` is the operator of node i; nullptr if the node has none. A node
/// whose operator refuses the operands is not folded, so its error is reported only by a run that reaches the node.
/// `budget` is the number of bytes that folding may still copy.
Folded fold_constants(const Graph& graph, std::span<const kernels::Operator* const> operators,
                      std::vector<Value> captured, std::size_t& budget);

}  // namespace ifcert
