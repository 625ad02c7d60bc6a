// The name of a graph in messages, which a picture needs to find the broken rules that belong to the graph.
#pragma once

#include <fmt/format.h>

#include <ifcert/graph.hpp>
#include <string>

namespace ifcert::drawing {

/// `graph "main"`; for TensorFlow Lite `subgraph 3 "name"`, or `subgraph 3` without a name.
inline std::string place_text(const Graph& graph) {
  if (!graph.subgraph) return fmt::format("graph \"{}\"", graph.name);
  return graph.name.empty() ? fmt::format("subgraph {}", *graph.subgraph)
                            : fmt::format("subgraph {} \"{}\"", *graph.subgraph, graph.name);
}

}  // namespace ifcert::drawing
