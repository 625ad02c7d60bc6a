#include "formats/onnx/made_names.hpp"

#include <algorithm>

namespace ifcert::onnx {

MadeNames MadeNames::inside(const proto::List<proto::Node>& nodes, const Place& place) {
  MadeNames made;
  made.add_outermost(place);
  made.add_bodies(nodes, 0, Counted::without_inputs);
  return made;
}

MadeNames MadeNames::anywhere(const proto::Model& file) {
  MadeNames made;
  for (const proto::Graph& main : file.graph) {
    made.add_outermost({.kind = Place::Kind::named, .what = "graph", .name = main.name});
    made.add_graph(main, made.graphs_.size() - 1, Counted::with_inputs);
  }
  for (const proto::Function& function : file.functions) made.add_function(function);
  return made;
}

void MadeNames::add_function(const proto::Function& function) {
  add_outermost({.kind = Place::Kind::named, .what = "function", .name = function.name});
  const std::size_t number = graphs_.size() - 1;
  for (const std::string_view input : function.input) add(input, number);
  add_outputs(function.node, number);
  add_bodies(function.node, number, Counted::with_inputs);
}

void MadeNames::add_outermost(const Place& place) {
  graphs_.push_back({graphs_.size(), {}, place});
}

void MadeNames::add_outputs(const proto::List<proto::Node>& nodes, std::size_t graph) {
  for (const proto::Node& node : nodes) {
    for (const std::string_view output : node.output) add(output, graph);
  }
}

void MadeNames::add_graph(const proto::Graph& graph, std::size_t number, Counted counted) {
  if (counted == Counted::with_inputs) {
    for (const proto::ValueInfo& input : graph.input) add(input.name, number);
    for (const proto::SparseTensor& initializer : graph.sparse_initializer) add(initializer.values.name, number);
  }
  for (const proto::Tensor& initializer : graph.initializer) add(initializer.name, number);
  add_outputs(graph.node, number);
  add_bodies(graph.node, number, counted);
}

/// Graphs are nested no deeper than nesting_limit.
void MadeNames::add_bodies(const proto::List<proto::Node>& nodes, std::size_t outer, Counted counted) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const proto::Node& node = nodes[i];
    for (const proto::Attribute& attribute : node.attribute) {
      for (const auto* graphs : {&attribute.graph, &attribute.graphs}) {
        for (const proto::Graph& graph : *graphs) {
          graphs_.push_back({outer,
                             {.kind = Place::Kind::node, .what = node.op_type, .name = node.name, .number = i},
                             {.what = attribute.name}});
          add_graph(graph, graphs_.size() - 1, counted);
        }
      }
    }
  }
}

std::optional<std::string> MadeNames::find(std::string_view name) const {
  const auto found = graph_of_.find(name);
  return found == graph_of_.end() ? std::nullopt : std::optional(text_of(found->second));
}

std::string MadeNames::text_of(std::size_t graph) const {
  std::vector<Place> chain{graphs_[graph].own};
  for (; graphs_[graph].outer != graph; graph = graphs_[graph].outer) {
    chain.push_back(graphs_[graph].node);
    chain.push_back(graphs_[graphs_[graph].outer].own);
  }
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) chain[i].outer = &chain[i + 1];
  return to_string(chain.front());
}

}  // namespace ifcert::onnx
