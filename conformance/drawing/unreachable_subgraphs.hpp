// The subgraphs of TensorFlow Lite that a picture would not reach from the primary one.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert::drawing {

/// Subgraphs other than the primary that no If and no While names: those of further signatures, unused ones, and, where
/// a subgraph leads back to itself (its operators have no bodies then), those that it names.
inline std::vector<GraphIndex> unreachable_subgraphs(const Model& model) {
  std::vector<bool> entered(model.graphs.size());
  for (const Graph& graph : model.graphs) {
    for (const Node& node : graph.nodes) {
      for (const Body& body : node.bodies) {
        if (body.reference.empty()) entered[body.graph] = true;
      }
    }
  }
  std::vector<GraphIndex> found;
  for (GraphIndex i = 1; i < model.graphs.size(); ++i) {
    if (model.graphs[i].subgraph && !entered[i]) found.push_back(i);
  }
  return found;
}

}  // namespace ifcert::drawing
