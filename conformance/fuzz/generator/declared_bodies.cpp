#include "conformance/fuzz/generator/declared_bodies.hpp"

#include <ifcert/reference.hpp>
#include <vector>

namespace ifcert::generator {

void declare_bodies(Model& model) {
  const SlotTypes types = infer_types(model);
  std::vector<GraphIndex> entered{0};
  for (std::size_t i = 0; i < entered.size(); ++i) {
    for (const Node& node : model.graphs[entered[i]].nodes) {
      for (const Body& body : node.bodies) {
        if (!node.call && body.reference.empty()) entered.push_back(body.graph);
      }
    }
  }
  for (const GraphIndex index : entered) {
    Graph& graph = model.graphs[index];
    for (const std::vector<Slot>* border : {&graph.inputs, &graph.outputs}) {
      for (const Slot slot : *border) {
        if (!graph.slots[slot].declared.known()) graph.slots[slot].declared = types[index][slot];
      }
    }
  }
}

}  // namespace ifcert::generator
