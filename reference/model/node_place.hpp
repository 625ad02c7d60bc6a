// The places of graphs and nodes in messages.
#pragma once

#include <ifcert/graph.hpp>

#include "model/place.hpp"

namespace ifcert {

/// A graph that is not inside another: the main graph, or any subgraph of TensorFlow Lite.
inline Place place_of(const Graph& graph) {
  if (graph.subgraph) return {.kind = Place::Kind::subgraph, .name = graph.name, .number = *graph.subgraph};
  return {.kind = Place::Kind::named, .what = "graph", .name = graph.name};
}

/// Node `number` of the graph at `outer`.
inline Place place_of(const Graph& graph, std::size_t number, const Place& outer) {
  const Node& node = graph.nodes[number];
  if (graph.subgraph) return outer.operation(node.op, number);
  return node.layer ? outer.layer(node.op, node.name, *node.layer) : outer.node(node.op, node.name, number);
}

}  // namespace ifcert
