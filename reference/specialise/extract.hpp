// A part of a model that can be evaluated by itself.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <vector>

namespace ifcert {

/// A model whose main graph is a part of a graph of another model.
struct Extract {
  Model model;                     // without inputs; with the bodies and functions that the nodes enter
  std::vector<GraphIndex> graphs;  // of the other model, by graph of this one
  std::vector<std::size_t> nodes;  // of the other model's graph, by node of the main graph
  NodeIndex original(NodeIndex node) const {
    return {graphs[node.graph], node.graph == 0 ? nodes[node.node] : node.node};
  }
};

/// The nodes with these numbers of a graph; `known[slot]` is the value of each slot that they read and that none of
/// them makes. `outputs` become the outputs. `functions` are functions_by_graph(model).
Extract extract(const Model& model, std::span<const Function* const> functions, GraphIndex graph,
                std::span<const Value> known, std::vector<std::size_t> nodes, std::vector<Slot> outputs);

}  // namespace ifcert
