// Constant folding: nodes that only rearrange constants are evaluated once, before the first run.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "kernels/operator.hpp"

namespace ifcert {

/// The results of the nodes of a graph that only rearrange its constants (Constant, Slice, Concat, …).
struct Folded {
  std::vector<Constant> constants;  // the results that the rest of the graph reads
  std::vector<bool> nodes;          // nodes[i]: node i is folded, and is not evaluated in a run
  std::vector<Value> known;         // by slot; empty where a value depends on the run
};

/// Folds a graph that is not part of a function. `known[slot]` is the value of a constant capture, otherwise empty.
/// `operators[i]` is the operator of node i, nullptr where it has none. A node that refuses its operands is left for
/// the run, which may never reach it. `budget` is the number of bytes that may still be copied.
Folded fold_constants(const Graph& graph, std::span<const kernels::Operator* const> operators, std::vector<Value> known,
                      std::size_t& budget);

}  // namespace ifcert
