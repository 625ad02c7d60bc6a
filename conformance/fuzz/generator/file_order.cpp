#include "conformance/fuzz/generator/file_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ifcert::generator {
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

template <class T>
void shuffle(std::vector<T>& all, Random& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random.below(left)]);
}

/// The new number of each slot of each graph.
using NewSlots = std::vector<std::vector<Slot>>;

Slot renumbered(Slot slot, const std::vector<Slot>& numbers) {
  return slot == no_slot ? no_slot : numbers[slot];
}

void renumber(Graph& graph, const std::vector<Slot>& numbers) {
  std::vector<SlotInfo> slots(graph.slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) slots[numbers[i]] = std::move(graph.slots[i]);
  graph.slots = std::move(slots);
  for (Slot& slot : graph.inputs) slot = numbers[slot];
  for (Slot& slot : graph.outputs) slot = numbers[slot];
  for (Constant& constant : graph.constants) constant.slot = numbers[constant.slot];
  for (Node& node : graph.nodes) {
    for (Slot& slot : node.inputs) slot = renumbered(slot, numbers);
    for (Slot& slot : node.outputs) slot = renumbered(slot, numbers);
  }
}

/// Graphs of the same size are shuffled in the same way, so that siblings which differ in one thing still do.
Random choices_for(const Graph& graph, std::uint64_t seed) {
  return Random(derived_seed(seed, graph.slots.size()));
}

void renumber_values(Model& model, std::uint64_t seed) {
  NewSlots numbers;
  for (const Graph& graph : model.graphs) {
    Random random = choices_for(graph, seed);
    std::vector<Slot> order(graph.slots.size());
    std::iota(order.begin(), order.end(), Slot{0});
    shuffle(order, random);
    numbers.push_back(std::move(order));
  }
  for (GraphIndex index = 0; index < model.graphs.size(); ++index) {
    Graph& graph = model.graphs[index];
    renumber(graph, numbers[index]);
    for (Node& node : graph.nodes) {
      for (Body& body : node.bodies) {
        for (Capture& capture : body.captures)
          capture = {numbers[index][capture.outer], numbers[body.graph][capture.inner]};
      }
    }
  }
}

}  // namespace

/// Takes a random node whose operands have been computed, until none is left.
void permute_nodes(Graph& graph, Random& random) {
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

void shuffle_order(Model& model, Random& random) {
  shuffle(model.functions, random);
  const std::uint64_t seed = random.next();
  renumber_values(model, seed);
  for (Graph& graph : model.graphs) {
    Random of_graph = choices_for(graph, seed);
    shuffle(graph.constants, of_graph);
    if (of_graph.percent(50)) permute_nodes(graph, of_graph);
    for (Node& node : graph.nodes) {
      for (Body& body : node.bodies) shuffle(body.captures, of_graph);
    }
  }
}

}  // namespace ifcert::generator
