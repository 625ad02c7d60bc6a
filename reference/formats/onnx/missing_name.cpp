#include "formats/onnx/missing_name.hpp"

namespace ifcert::onnx {
namespace {

using NameSet = std::unordered_set<std::string_view>;

/// Adds the names that are defined in any body below these nodes. Graphs are nested no deeper than nesting_limit.
void add_made_inside(const proto::List<proto::Node>& nodes, NameSet& names);

void add_made_in(const proto::List<proto::Graph>& graphs, NameSet& names) {
  for (const proto::Graph& graph : graphs) {
    for (const proto::Tensor& initializer : graph.initializer) names.insert(initializer.name);
    for (const proto::Node& node : graph.node) names.insert(node.output.begin(), node.output.end());
    add_made_inside(graph.node, names);
  }
}

void add_made_inside(const proto::List<proto::Node>& nodes, NameSet& names) {
  for (const proto::Node& node : nodes) {
    for (const proto::Attribute& attribute : node.attribute) {
      add_made_in(attribute.graph, names);
      add_made_in(attribute.graphs, names);
    }
  }
}

}  // namespace

/// Is the name made by the current node, or by a later one?
bool MissingName::is_made_later(Level& level, std::string_view name) {
  if (level.makers == nullptr) {
    LastMaker makers;
    for (std::size_t i = 0; i < level.nodes->size(); ++i) {
      for (const std::string_view output : (*level.nodes)[i].output) makers.insert_or_assign(output, i);
    }
    level.makers = std::make_unique<const LastMaker>(std::move(makers));
  }
  const auto last = level.makers->find(name);
  return last != level.makers->end() && last->second >= level.current;
}

bool MissingName::is_made_inside(Level& level, std::string_view name) {
  if (level.made_inside == nullptr) {
    NameSet names;
    add_made_inside(*level.nodes, names);
    level.made_inside = std::make_unique<const NameSet>(std::move(names));
  }
  return level.made_inside->contains(name);
}

/// Whether the name, which the level makes later, would be visible if its nodes were sorted: the node that needs it is
/// in no cycle, and no graph around makes the name later, too.
bool MissingName::is_made_once_sorted(std::size_t level, std::string_view name) {
  for (std::size_t outer = 0; outer < level; ++outer) {
    if (is_made_later(inside_[outer], name)) return false;
  }
  if (!orders_) orders_ = node_orders(model_);
  const auto order = orders_->find(inside_[level].nodes);
  return order != orders_->end() && order->second.sorted.placed[inside_[level].current];
}

MissingName::Reason MissingName::explain(std::string_view name) {
  for (std::size_t i = inside_.size(); i-- > 0;) {
    if (!is_made_later(inside_[i], name)) continue;
    const bool allowable = is_made_once_sorted(i, name);
    if (i + 1 == inside_.size())
      return {"onnx/model/no-cycles", "a value is computed before the node that uses it, without cycles", allowable};
    return {"onnx/if/definition-before-use",
            "a value that a nested graph reads is computed before the node that holds the graph", allowable};
  }
  if (!inside_.empty() && is_made_inside(inside_.front(), name)) {
    return {"onnx/if/no-leak", "a name defined inside a branch is visible only in that branch"};
  }
  return {"onnx/model/every-use-is-defined", "every input is a visible output of a node, input or initializer"};
}

}  // namespace ifcert::onnx
