// Where a node stands in messages.
#pragma once

#include <ifcert/graph.hpp>

#include "place.hpp"

namespace ifcert {

/// Node `number` of the graph that stands at `outer`.
inline Place place_of(const Graph& graph, std::size_t number, const Place& outer) {
  const Node& node = graph.nodes[number];
  return node.layer ? outer.layer(node.op, node.name, *node.layer) : outer.node(node.op, node.name, number);
}

}  // namespace ifcert
