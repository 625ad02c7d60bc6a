// Fewer bodies: an If becomes one of its branches, a Loop one trip, a call the function's nodes. And fewer results of
// the nodes that have bodies.
#include <algorithm>
#include <array>
#include <map>

#include "conformance/fuzz/generator/relations.hpp"
#include "conformance/fuzz/generator/shrinking/edit.hpp"
#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"
#include "model/node_kind.hpp"

namespace ifcert::generator::shrinking {
namespace {

/// Copies the body's graph into the graph around it, in place of a node that was taken out. Returns the slots of the
/// body's outputs there. `known` maps its formal inputs to slots of the outer graph.
std::vector<Slot> inline_body(Model& model, GraphIndex index, std::size_t position, const Body& body,
                              std::map<Slot, Slot> facts) {
  const Graph inner = model.graphs[body.graph];
  Graph& outer = model.graphs[index];
  for (const Capture& capture : body.captures) facts.emplace(capture.inner, capture.outer);
  for (Slot slot = 0; slot < inner.slots.size(); ++slot) {
    if (!facts.contains(slot)) facts[slot] = outer.add_slot(inner.slots[slot].name, inner.slots[slot].declared);
  }
  const auto there = [&facts](Slot& slot) { slot = slot == no_slot ? no_slot : facts.at(slot); };
  for (Constant constant : inner.constants) {
    there(constant.slot);
    outer.constants.push_back(std::move(constant));
  }
  std::vector<Node> nodes = inner.nodes;
  for (Node& node : nodes) {
    if (model.format == Format::onnx) node.name.clear();
    for_each_read(node, there);
    std::ranges::for_each(node.outputs, there);
  }
  outer.nodes.insert(outer.nodes.begin() + static_cast<std::ptrdiff_t>(position), nodes.begin(), nodes.end());
  std::vector<Slot> outputs = inner.outputs;
  std::ranges::for_each(outputs, there);
  return outputs;
}

/// Whether one of the node's bodies is a graph that a call passes: such a body cannot be inlined here.
bool has_reference(const Node& node) {
  return std::ranges::any_of(node.bodies, [](const Body& body) { return !body.reference.empty(); });
}

/// Takes the node out of the graph.
Node taken(Graph& graph, std::size_t number) {
  Node node = std::move(graph.nodes[number]);
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(number));
  return node;
}

/// The index after the last node of a body that was inlined at `position`.
std::size_t end_of_body(const Model& model, const Body& body, std::size_t position) {
  return position + model.graphs[body.graph].nodes.size();
}

bool choose_branch(Model& model, GraphIndex index, std::size_t number, std::size_t branch) {
  const Node node = taken(model.graphs[index], number);
  const Body& body = node.bodies[branch];
  const std::size_t end = end_of_body(model, body, number);
  const std::vector<Slot> results = inline_body(model, index, number, body, {});
  if (results.size() != node.outputs.size()) return false;
  for (std::size_t i = results.size(); i-- > 0;) {
    if (node.outputs[i] != no_slot) redirect(model, index, end, node.outputs[i], results[i]);
  }
  return true;
}

Value single(ElementType element, std::int64_t number) {
  return *filled(Type::tensor(element, Shape{}), number);
}

/// Replaces a loop by one trip of its body. Scan outputs become one element along a new first axis.
bool one_trip(Model& model, GraphIndex index, std::size_t number) {
  const Node node = taken(model.graphs[index], number);
  const Body& body = node.bodies.front();
  const std::vector<Slot> formal = model.graphs[body.graph].inputs;
  if (formal.size() < 2 || node.inputs.size() != formal.size()) return false;
  const std::size_t carried = formal.size() - 2;
  Graph& outer = model.graphs[index];
  std::map<Slot, Slot> facts;
  facts[formal[0]] = add_constant(outer, single(ElementType::int64, 0));
  facts[formal[1]] = add_constant(outer, single(ElementType::boolean, 1));
  for (std::size_t i = 0; i < carried; ++i) facts[formal[i + 2]] = node.inputs[i + 2];
  std::size_t end = end_of_body(model, body, number);
  const std::vector<Slot> results = inline_body(model, index, number, body, std::move(facts));
  if (results.size() != node.outputs.size() + 1) return false;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == no_slot) continue;
    Slot result = results[i + 1];
    if (i >= carried) {
      const std::int64_t first = 0;
      const Slot axes = add_constant(outer, make_tensor<std::int64_t>(ElementType::int64, {1}, {&first, 1}));
      const Slot stacked = outer.add_slot("");
      outer.nodes.insert(outer.nodes.begin() + static_cast<std::ptrdiff_t>(end++),
                         operation(model, "Unsqueeze", {result, axes}, {stacked}));
      result = stacked;
    }
    redirect(model, index, end, node.outputs[i], result);
  }
  return true;
}

bool inline_calls(Generated& changed) {
  Random unused(0);
  auto related = find_relation("inline-calls")->relate(changed, unused);
  if (!related) return false;
  changed.model = std::move(related->model);
  return true;
}

/// A carried value of a loop becomes a capture of its first value.
void capture_instead(Node& node, Body& body, Graph& inner, std::size_t operand, std::size_t formal) {
  body.captures.push_back({node.inputs[operand], inner.inputs[formal]});
  erase_at(node.inputs, operand);
  erase_at(inner.inputs, formal);
}

/// Removes a result from the node and its bodies; false if that is not possible.
bool erase_result(Model& model, Node& node, std::size_t result) {
  const NodeKind kind = node_kind(node, model.format);
  const bool leads_with_cond = kind == NodeKind::loop;
  for (Body& body : node.bodies) {
    Graph& inner = model.graphs[body.graph];
    const bool is_carried = kind == NodeKind::loop && result + 2 < inner.inputs.size();
    if (kind == NodeKind::while_ && !erase_at(inner.inputs, result)) return false;
    if (kind == NodeKind::while_ && &body == &node.bodies.front()) continue;  // its cond
    if (!erase_at(inner.outputs, result + (leads_with_cond ? 1 : 0))) return false;
    if (is_carried) capture_instead(node, body, inner, result + 2, result + 2);
  }
  if (kind == NodeKind::while_) erase_at(node.inputs, result);
  return erase_at(node.outputs, result);
}

/// Removes a function, if nothing calls it.
bool drop_function(Generated& changed, std::size_t number) {
  const GraphIndex dropped = changed.model.functions[number].graph;
  for (const Graph& graph : changed.model.graphs) {
    for (const Node& node : graph.nodes) {
      if (node.call && node.bodies.front().graph == dropped) return false;
    }
  }
  return erase_at(changed.model.functions, number);
}

/// Removes a result of a node. Its readers read a constant instead; an output of the main graph that it was is removed
/// too.
bool drop_result(Model& model, GraphIndex index, std::size_t number, std::size_t result, const Type& type) {
  Graph& graph = model.graphs[index];
  const Slot output = graph.nodes[number].outputs[result];
  if (!erase_result(model, graph.nodes[number], result)) return false;
  if (output == no_slot || !is_read(graph, output)) return true;
  if (index == 0 && graph.outputs.size() > 1) std::erase(graph.outputs, output);
  if (!is_read(graph, output)) return true;
  const std::optional<Value> zeros = filled(type, 0);
  if (!zeros) return false;
  const Slot constant = add_constant(graph, *zeros);
  redirect(model, index, number, output, constant);
  return true;
}

}  // namespace

Edits fewer_bodies(const Base& base) {
  Edits edits{inline_calls};
  for (std::size_t number = base.model().functions.size(); number-- > 0;)
    edits.emplace_back([number](Generated& changed) { return drop_function(changed, number); });
  for (GraphIndex graph = 0; graph < base.model().graphs.size(); ++graph) {
    const std::vector<Node>& nodes = base.model().graphs[graph].nodes;
    for (std::size_t number = nodes.size(); number-- > 0;) {
      if (has_reference(nodes[number])) continue;
      const NodeKind kind = node_kind(nodes[number], base.model().format);
      for (std::size_t branch = 0; kind == NodeKind::if_ && branch < nodes[number].bodies.size(); ++branch) {
        edits.emplace_back([graph, number, branch](Generated& changed) {
          return choose_branch(changed.model, graph, number, branch);
        });
      }
      if (kind != NodeKind::loop) continue;
      edits.emplace_back([graph, number](Generated& changed) { return one_trip(changed.model, graph, number); });
    }
  }
  return edits;
}

Edits fewer_results(const Base& base) {
  Edits edits;
  for (GraphIndex graph = 0; graph < base.model().graphs.size(); ++graph) {
    const std::vector<Node>& nodes = base.model().graphs[graph].nodes;
    for (std::size_t number = nodes.size(); number-- > 0;) {
      const Node& node = nodes[number];
      if (node.bodies.empty() || node.call || node.outputs.size() < 2 || has_reference(node)) continue;
      for (std::size_t result = node.outputs.size(); result-- > 0;) {
        const Type type = node.outputs[result] == no_slot ? Type{} : base.type_of(graph, node.outputs[result]);
        edits.emplace_back([graph, number, result, type](Generated& changed) {
          return drop_result(changed.model, graph, number, result, type);
        });
      }
    }
  }
  return edits;
}

}  // namespace ifcert::generator::shrinking
