#include <fmt/format.h>

#include <ifcert/graph.hpp>

#include "model/place.hpp"

namespace ifcert {

Slot Graph::add_slot(std::string slot_name, Type declared) {
  slots.push_back({std::move(slot_name), std::move(declared)});
  return static_cast<Slot>(slots.size() - 1);
}

std::string describe(const Graph& graph, std::size_t node) {
  const Node& it = graph.nodes[node];
  if (graph.subgraph) return fmt::format("operator {} ({})", node, it.op);
  if (it.layer) return layer_text(*it.layer, it.name, it.op);
  return it.name.empty() ? fmt::format("node {} ({})", node, it.op) : fmt::format("node \"{}\" ({})", it.name, it.op);
}

}  // namespace ifcert
