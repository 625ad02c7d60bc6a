#include "evaluation/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "evaluation/failure.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert {
namespace {

/// The plan of an ONNX loop. Fails unless the loop has exactly one body, which is in the node itself.
NodePlan loop_plan(const Node& node, NodePlan::Kind kind, const Place& place) {
  if (node.bodies.size() != 1)
    fail(place, fmt::format("{} needs exactly one body; the node has {}", node.op, node.bodies.size()));
  if (!node.bodies[0].reference.empty())
    fail(place, fmt::format("the reference evaluates {} only if its body is in the node itself; a body that a function "
                            "call passes is not supported",
                            node.op));
  return {.kind = kind};
}

/// What computes nodes that the reference lacks.
struct Others {
  const CustomOperators& custom;
  bool has_delegate;
};

/// Finds an operator by its name: the reference's own if there is one, otherwise a custom operator, otherwise the
/// delegate.
NodePlan operator_plan(const Node& node, Format format, const Others& others, const Place& place) {
  const kernels::Operator* op = node.domain.empty() ? kernels::find_operator(format, node.op, node.version) : nullptr;
  if (op != nullptr) return {NodePlan::Kind::kernel, op};
  const std::string name = node.domain.empty() ? node.op : node.domain + "." + node.op;
  if (const auto found = others.custom.find(name); found != others.custom.end())
    return {NodePlan::Kind::custom, nullptr, &found->second};
  if (others.has_delegate && node.bodies.empty()) return {NodePlan::Kind::delegated};
  const std::string_view version_word = format == Format::tflite ? "version" : "opset";
  fail(place, fmt::format("the reference has no operator {} ({} {})", name, version_word, node.version), name);
}

NodePlan plan_of(const Node& node, Format format, const Others& others, const Place& place) {
  switch (node_kind(node, format)) {
    case NodeKind::call:
      return {NodePlan::Kind::call};
    case NodeKind::if_:
      if (node.bodies.size() != 2) fail(place, "If needs two branches");
      return {NodePlan::Kind::if_};
    case NodeKind::while_:
      if (node.bodies.size() != 2) fail(place, "While needs two subgraphs");
      return {NodePlan::Kind::while_};
    case NodeKind::loop:
      return loop_plan(node, NodePlan::Kind::loop, place);
    case NodeKind::scan:
      return loop_plan(node, NodePlan::Kind::scan, place);
    case NodeKind::sequence_map:
      return loop_plan(node, NodePlan::Kind::sequence_map, place);
    case NodeKind::operation:
      break;
  }
  return operator_plan(node, format, others, place);
}

/// Plans the nodes of a graph and of the bodies in it, but not those of the functions that it calls. A graph that is
/// the body of several nodes is planned once.
/// Rule: tflite/subgraph/shared.
void plan_graph(const Model& model, const Others& others, GraphIndex index, const Place& place, Plans& plans) {
  const Graph& graph = model.graphs[index];
  if (!plans[index].empty()) return;
  if (!graph.unevaluated.empty()) {
    const std::string& name = graph.slots[graph.unevaluated.front()].name;
    fail(place.named("tensor", name),
         "the reference does not evaluate variables, resources, or constants in sparse form or in other files",
         "variable, resource or sparse constant");
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const Place here = place_of(graph, i, place);
    plans[index].push_back(plan_of(node, model.format, others, here));
    for (const Body& body : node.bodies) {
      if (is_written_in(node, body)) plan_graph(model, others, body.graph, here.word(body.role), plans);
    }
  }
}

/// Sets last_read in the plans of a graph's nodes. A value that nobody reads is released after the node that computes
/// it.
void find_last_reads(const Graph& graph, std::vector<NodePlan>& plans) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> last(graph.slots.size(), none);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Slot slot : graph.nodes[i].inputs) {
      if (slot != no_slot) last[slot] = i;
    }
    for (const Body& body : graph.nodes[i].bodies) {
      for (const Capture& capture : body.captures) last[capture.outer] = i;
    }
    for (const Slot slot : graph.nodes[i].outputs) {
      if (slot != no_slot) last[slot] = i;
    }
  }
  for (const Slot slot : graph.outputs) last[slot] = none;
  for (const Node& node : graph.nodes) {
    for (const Slot slot : node.outputs) {
      if (slot != no_slot && last[slot] != none) plans[last[slot]].last_read.push_back(slot);
    }
  }
}

}  // namespace

bool is_written_in(const Node& node, const Body& body) {
  const bool is_callee = node.call && &body == node.bodies.data();
  return body.reference.empty() && !is_callee;
}

Plans plan_nodes(const Model& model, const CustomOperators& custom, bool has_delegate) {
  const Others others{custom, has_delegate};
  Plans plans(model.graphs.size());
  plan_graph(model, others, 0, place_of(model.main()), plans);
  for (const Function& function : model.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
    plan_graph(model, others, function.graph, place, plans);
    for (const Body& body : function.default_bodies)
      plan_graph(model, others, body.graph, place.word(body.role), plans);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!plans[i].empty()) find_last_reads(model.graphs[i], plans[i]);
  }
  return plans;
}

}  // namespace ifcert
