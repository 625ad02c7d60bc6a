#include "formats/onnx/missing_name.hpp"

#include <algorithm>

namespace ifcert::onnx {
namespace {

bool makes(const proto::Node& node, std::string_view name) {
  return std::ranges::find(node.output, name) != node.output.end();
}

/// Is the name defined in any body below these nodes?
bool made_inside(const std::vector<proto::Node>& nodes, std::string_view name);

bool made_in_graph(const proto::Graph& graph, std::string_view name) {
  return std::ranges::find(graph.initializer, name, &proto::Tensor::name) != graph.initializer.end() ||
         std::ranges::any_of(graph.node, [&](const proto::Node& node) { return makes(node, name); }) ||
         made_inside(graph.node, name);
}

bool made_inside(const std::vector<proto::Node>& nodes, std::string_view name) {
  for (const proto::Node& node : nodes) {
    for (const proto::Attribute& attribute : node.attribute) {
      const auto made = [&](const proto::Graph& graph) { return made_in_graph(graph, name); };
      if (std::ranges::any_of(attribute.graph, made) || std::ranges::any_of(attribute.graphs, made)) return true;
    }
  }
  return false;
}

}  // namespace

std::pair<std::string, std::string> MissingName::explain(std::string_view name) const {
  for (std::size_t level = inside_.size(); level-- > 0;) {
    const auto& [nodes, current] = inside_[level];
    const auto later = std::span(*nodes).subspan(std::min(current, nodes->size()));
    if (std::ranges::none_of(later, [&](const proto::Node& node) { return makes(node, name); })) continue;
    if (level + 1 == inside_.size())
      return {"onnx/model/no-cycles", "a value is made before the node that uses it, without cycles"};
    return {"onnx/if/definition-before-use",
            "a value that a nested graph reads is made before the node that holds the graph"};
  }
  if (!inside_.empty() && made_inside(*inside_.front().first, name)) {
    return {"onnx/if/no-leak", "a name made inside a branch is visible in that branch alone"};
  }
  return {"onnx/model/every-use-is-defined",
          "every input is the output of a node, an input or an initializer that is visible"};
}

}  // namespace ifcert::onnx
