#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "conformance/fuzz/generator/shrinking/edit.hpp"
#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"

namespace ifcert::generator::shrinking {
namespace {

/// The slots of the graph that something reads or that a caller fills.
std::vector<bool> needed_slots(const Graph& graph) {
  std::vector<bool> needed(graph.slots.size());
  const auto need = [&needed](Slot slot) { needed[slot] = true; };
  std::ranges::for_each(graph.inputs, need);
  std::ranges::for_each(graph.outputs, need);
  for (const Node& node : graph.nodes) for_each_read(node, need);
  return needed;
}

/// Removes captures that nothing reads. In TensorFlow Lite they stay: both branches must have every operand of the If.
void drop_captures(Model& model, Node& node) {
  if (model.format == Format::tflite) return;
  for (Body& body : node.bodies) {
    if (!body.reference.empty()) continue;
    const std::vector<bool> needed = needed_slots(model.graphs[body.graph]);
    std::erase_if(body.captures, [&](const Capture& capture) { return !needed[capture.inner]; });
  }
  if (model.format != Format::openvino || node.bodies.empty()) return;
  for (std::size_t i = node.inputs.size(); i-- > 1;) {
    const auto captures = [&](const Body& body) {
      return std::ranges::count(body.captures, node.inputs[i], &Capture::outer) > 0;
    };
    if (std::ranges::none_of(node.bodies, captures))
      node.inputs.erase(node.inputs.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Removes slots that are not needed, and renumbers the others.
void drop_slots(Model& model, GraphIndex index) {
  Graph& graph = model.graphs[index];
  std::vector<bool> kept = needed_slots(graph);
  std::erase_if(graph.constants, [&](const Constant& constant) { return !kept[constant.slot]; });
  for (const Node& node : graph.nodes) {
    for (const Slot slot : node.outputs) {
      if (slot != no_slot) kept[slot] = true;
    }
  }
  std::vector<Slot> numbers(graph.slots.size(), no_slot);
  std::vector<SlotInfo> slots;
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    if (!kept[slot]) continue;
    numbers[slot] = static_cast<Slot>(slots.size());
    slots.push_back(std::move(graph.slots[slot]));
  }
  graph.slots = std::move(slots);
  const auto renumber = [&numbers](Slot& slot) { slot = slot == no_slot ? no_slot : numbers[slot]; };
  std::ranges::for_each(graph.inputs, renumber);
  std::ranges::for_each(graph.outputs, renumber);
  for (Constant& constant : graph.constants) renumber(constant.slot);
  for (Node& node : graph.nodes) {
    for_each_read(node, renumber);
    std::ranges::for_each(node.outputs, renumber);
  }
  for (Graph& outer : model.graphs) {
    for (Node& node : outer.nodes) {
      for (Body& body : node.bodies) {
        if (body.graph != index || !body.reference.empty()) continue;
        for (Capture& capture : body.captures) renumber(capture.inner);
      }
    }
  }
}

/// The graphs that are entered from the main graph or a function, outer graphs before their bodies.
std::vector<GraphIndex> entered_graphs(const Model& model) {
  std::vector<GraphIndex> order{0};
  std::set<GraphIndex> seen{0};
  for (const Function& function : model.functions) {
    if (seen.insert(function.graph).second) order.push_back(function.graph);
  }
  const auto enter = [&](const Body& body) {
    if (body.reference.empty() && seen.insert(body.graph).second) order.push_back(body.graph);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Node& node : model.graphs[order[i]].nodes) std::ranges::for_each(node.bodies, enter);
    for (const Function& function : model.functions) {
      if (function.graph == order[i]) std::ranges::for_each(function.default_bodies, enter);
    }
  }
  return order;
}

void drop_graphs(Model& model) {
  const std::vector<GraphIndex> order = entered_graphs(model);
  std::map<GraphIndex, GraphIndex> numbers;
  std::vector<Graph> graphs;
  for (const GraphIndex index : order) {
    numbers[index] = static_cast<GraphIndex>(graphs.size());
    graphs.push_back(std::move(model.graphs[index]));
    if (graphs.back().subgraph) graphs.back().subgraph = static_cast<std::uint32_t>(graphs.size() - 1);
  }
  const auto renumber = [&](Body& body) {
    if (body.reference.empty()) body.graph = numbers.at(body.graph);
  };
  for (Graph& graph : graphs) {
    for (Node& node : graph.nodes) std::ranges::for_each(node.bodies, renumber);
  }
  for (Function& function : model.functions) {
    function.graph = numbers.at(function.graph);
    std::ranges::for_each(function.default_bodies, renumber);
  }
  model.graphs = std::move(graphs);
}

/// Turns a function's initializers into Constants, because a function has no initializers.
void make_constant_nodes(const Model& model, Graph& graph) {
  std::vector<Node> nodes;
  for (Constant& constant : graph.constants) {
    nodes.push_back(operation(model, "Constant", {}, {constant.slot}));
    nodes.back().attributes.emplace("value", std::move(constant.value));
  }
  graph.constants.clear();
  graph.nodes.insert(graph.nodes.begin(), std::make_move_iterator(nodes.begin()), std::make_move_iterator(nodes.end()));
}

}  // namespace

void prune(Model& model) {
  for (const Function& function : model.functions) make_constant_nodes(model, model.graphs[function.graph]);
  drop_graphs(model);
  // From the inside out: once a body no longer captures a value, the graph around it may not need the value either.
  for (std::size_t index = model.graphs.size(); index-- > 0;) {
    for (Node& node : model.graphs[index].nodes) drop_captures(model, node);
  }
  for (std::size_t index = model.graphs.size(); index-- > 0;) drop_slots(model, static_cast<GraphIndex>(index));
  std::set<std::string, std::less<>> domains{""};
  for (const Function& function : model.functions) domains.insert(function.domain);
  for (const Graph& graph : model.graphs) {
    for (const Node& node : graph.nodes) domains.insert(node.domain);
  }
  std::erase_if(model.opsets, [&](const auto& opset) { return !domains.contains(opset.first); });
}

}  // namespace ifcert::generator::shrinking
