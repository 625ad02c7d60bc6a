#include <algorithm>

#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {

namespace {

/// Whether a call may leave the value out: it is an operand of a function.
bool may_be_left_out(const Model& model, const Graph& graph, Slot slot) {
  const bool is_operand = std::ranges::count(graph.inputs, slot) > 0;
  return is_operand && std::ranges::any_of(model.functions, [&](const Function& function) {
           return &model.graphs[function.graph] == &graph;
         });
}

}  // namespace

std::optional<Related> copy_captures(const Generated& generated, Random& random) {
  Model model = generated.model;
  bool changes = false;
  for (Graph& graph : model.graphs) {
    std::vector<Node> nodes;
    for (Node& node : graph.nodes) {
      for (Body& body : node.bodies) {
        for (Capture& capture : body.captures) {
          if (may_be_left_out(model, graph, capture.outer) || random.percent(30)) continue;
          Node copy;
          copy.op = "Identity";
          copy.version = static_cast<int>(model.opsets.find("")->second);
          copy.inputs = {capture.outer};
          copy.outputs = {graph.add_slot("")};
          capture.outer = copy.outputs[0];
          nodes.push_back(std::move(copy));
          changes = true;
        }
      }
      nodes.push_back(std::move(node));
    }
    graph.nodes = std::move(nodes);
  }
  if (!changes) return std::nullopt;
  return with_same_inputs(generated, std::move(model));
}

}  // namespace ifcert::generator::relations
