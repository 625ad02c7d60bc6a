#include "conformance/fuzz/generator/relations/relate.hpp"

namespace ifcert::generator::relations {

std::optional<Related> copy_captures(const Generated& generated, Random& random) {
  Model model = generated.model;
  bool changes = false;
  for (Graph& graph : model.graphs) {
    std::vector<Node> nodes;
    for (Node& node : graph.nodes) {
      for (Body& body : node.bodies) {
        for (Capture& capture : body.captures) {
          if (random.percent(30)) continue;
          Node copy;
          copy.op = "Identity";
          copy.version = node.version;
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
