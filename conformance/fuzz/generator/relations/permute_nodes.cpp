#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {
namespace {

/// Calls `see` for each value that the node, or a body of it, reads.
template <class See>
void for_each_read(const Node& node, const See& see) {
  for (const Slot slot : node.inputs) {
    if (slot != no_slot) see(slot);
  }
  for (const Body& body : node.bodies) {
    for (const Capture& capture : body.captures) see(capture.outer);
  }
}

/// Takes a random node whose operands have been computed, until none is left.
void permute(Graph& graph, Random& random) {
  std::vector<bool> is_pending(graph.slots.size());
  for (const Node& node : graph.nodes) {
    for (const Slot slot : node.outputs) {
      if (slot != no_slot) is_pending[slot] = true;
    }
  }
  std::vector<Node> left = std::move(graph.nodes);
  graph.nodes.clear();
  while (!left.empty()) {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < left.size(); ++i) {
      bool is_ready = true;
      for_each_read(left[i], [&](Slot slot) { is_ready = is_ready && !is_pending[slot]; });
      if (is_ready) ready.push_back(i);
    }
    const std::size_t next = ready[random.below(ready.size())];
    for (const Slot slot : left[next].outputs) {
      if (slot != no_slot) is_pending[slot] = false;
    }
    graph.nodes.push_back(std::move(left[next]));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
}

}  // namespace

std::optional<Related> permute_nodes(const Generated& generated, Random& random) {
  Model model = generated.model;
  for (Graph& graph : model.graphs) permute(graph, random);
  return with_same_inputs(generated, std::move(model));
}

}  // namespace ifcert::generator::relations
