#include "specialise/tflite_entered.hpp"

#include <ifcert/inexpressible.hpp>

#include "model/node_place.hpp"

namespace ifcert::tflite::specialisation {
namespace {

bool may_name_subgraphs(const Node& node) {
  return node.domain == "custom" || node.op == "CALL" || node.op.starts_with("STABLEHLO_");
}

}  // namespace

std::vector<GraphIndex> subgraphs_entered_by(const Model& model, const schema::Model& read, NodeIndex index) {
  const Graph& graph = model.graphs[index.graph];
  const Node& node = graph.nodes[index.node];
  std::vector<GraphIndex> entered;
  for (const Body& body : node.bodies) entered.push_back(body.graph);
  if (node.op != "CALL_ONCE" || !node.domain.empty()) return entered;
  const auto* operators = read.subgraphs()->Get(index.graph)->operators();
  const auto* options = operators->Get(static_cast<std::uint32_t>(index.node))->builtin_options_as_CallOnceOptions();
  const std::int64_t number = options == nullptr ? -1 : options->init_subgraph_index();
  if (number < 0 || number >= static_cast<std::int64_t>(model.graphs.size())) {
    const Place outer = place_of(graph);
    throw Inexpressible(to_string(place_of(graph, index.node, outer)), "it does not name a subgraph of the model");
  }
  entered.push_back(static_cast<GraphIndex>(number));
  return entered;
}

std::vector<GraphIndex> subgraphs_that_stay(const Model& model, const schema::Model& read) {
  std::vector<bool> stays(model.graphs.size(), true);
  bool all_known = true;
  for (GraphIndex graph = 0; graph < model.graphs.size(); ++graph) {
    for (std::size_t i = 0; i < model.graphs[graph].nodes.size(); ++i) {
      for (const GraphIndex entered : subgraphs_entered_by(model, read, {graph, i})) stays[entered] = false;
      all_known = all_known && !may_name_subgraphs(model.graphs[graph].nodes[i]);
    }
  }
  stays[0] = true;
  const auto* signatures = read.signature_defs();
  for (std::uint32_t i = 0; signatures != nullptr && i < signatures->size(); ++i) {
    const std::uint32_t graph = signatures->Get(i)->subgraph_index();
    if (graph < stays.size()) stays[graph] = true;
  }
  std::vector<GraphIndex> all;
  for (GraphIndex graph = 0; graph < stays.size(); ++graph) {
    if (stays[graph] || !all_known) all.push_back(graph);
  }
  return all;
}

}  // namespace ifcert::tflite::specialisation
