#include <utility>

#include "conformance/fuzz/generator/relations/relate.hpp"
#include "model/node_kind.hpp"

namespace ifcert::generator::relations {

std::optional<Related> negate_conds(const Generated& generated, Random& /*random*/) {
  Model model = generated.model;
  for (Graph& graph : model.graphs) {
    std::vector<Node> nodes;
    for (Node& node : graph.nodes) {
      if (is_if(node)) {
        Node negation;
        negation.op = "Not";
        negation.version = node.version;
        negation.inputs = {node.inputs[0]};
        negation.outputs = {graph.add_slot("")};
        node.inputs[0] = negation.outputs[0];
        std::swap(node.bodies[0], node.bodies[1]);
        std::swap(node.bodies[0].role, node.bodies[1].role);
        nodes.push_back(std::move(negation));
      }
      nodes.push_back(std::move(node));
    }
    graph.nodes = std::move(nodes);
  }
  return with_same_inputs(generated, std::move(model));
}

}  // namespace ifcert::generator::relations
