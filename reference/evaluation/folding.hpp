// What a model's constants alone decide is computed once, before the first run.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "kernels/operator.hpp"

namespace ifcert {

/// What nodes make of a graph's constants by rearranging them (Constant, Slice, Concat, …).
struct Folded {
  std::vector<Constant> constants;  // those that the rest of the graph reads
  std::vector<bool> nodes;          // nodes[i]: node i need not be evaluated any more
  std::vector<Value> known;         // by slot; empty where a value depends on the run
};

/// Folds a graph that belongs to no function; `known` has, by slot, what it captures of its surroundings' constants.
/// `operators[i]` is that of node i, nullptr where the node has none. A node
/// that refuses its operands is left for the run, which may never come to it. `budget` is how many bytes may still be
/// copied.
Folded fold_constants(const Graph& graph, std::span<const kernels::Operator* const> operators, std::vector<Value> known,
                      std::size_t& budget);

}  // namespace ifcert
