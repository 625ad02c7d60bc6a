#include "formats/onnx/node_order.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ifcert::onnx {
namespace {

/// Walks through all lists as a reader does, with the names that each graph around makes, at whatever point.
class Walk {
 public:
  NodeOrders take() { return std::move(orders_); }

  void visit(const proto::Function& function) {
    for (const proto::Attribute& attribute : function.attribute_proto) visit(attribute);
    enter(function.node);
    for (const std::string_view name : function.input) give(name);
    visit_nodes();
    leave();
  }

  void visit(const proto::Graph& graph) {
    enter(graph.node);
    for (const proto::ValueInfo& input : graph.input) give(input.name);
    for (const proto::Tensor& initializer : graph.initializer) give(initializer.name);
    for (const proto::SparseTensor& initializer : graph.sparse_initializer) give(initializer.values.name);
    visit_nodes();
    for (const proto::ValueInfo& output : graph.output) use(output.name);
    leave();
  }

 private:
  struct Level {
    const proto::List<proto::Node>* nodes;
    std::vector<std::string_view> names = {};  // that it makes
    std::vector<Precedence> precedences = {};
    std::uint32_t current = 0;
    bool reads_later = false, captures_later = false;
  };
  struct Maker {
    std::size_t level;
    std::optional<std::uint32_t> node;  // nullopt: an input or an initializer
  };

  void enter(const proto::List<proto::Node>& nodes) {
    levels_.push_back({&nodes});
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      for (const std::string_view name : nodes[i].output) add(name, i);
    }
  }

  void leave() {
    Level& level = levels_.back();
    for (const std::string_view name : level.names) makers_[name].pop_back();
    if (level.reads_later || level.captures_later) {
      const auto count = static_cast<std::uint32_t>(level.nodes->size());
      orders_.emplace(level.nodes,
                      NodeOrder{topological_order(count, level.precedences), level.reads_later, level.captures_later});
    }
    levels_.pop_back();
  }

  void give(std::string_view name) { add(name, std::nullopt); }

  void add(std::string_view name, std::optional<std::uint32_t> node) {
    if (name.empty()) return;
    levels_.back().names.push_back(name);
    makers_[name].push_back({levels_.size() - 1, node});
  }

  void visit_nodes() {
    const proto::List<proto::Node>& nodes = *levels_.back().nodes;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      levels_.back().current = i;
      for (const std::string_view name : nodes[i].input) use(name);
      for (const proto::Attribute& attribute : nodes[i].attribute) visit(attribute);
    }
    levels_.back().current = static_cast<std::uint32_t>(nodes.size());
  }

  void visit(const proto::Attribute& attribute) {
    for (const proto::Graph& graph : attribute.graph) visit(graph);
    for (const proto::Graph& graph : attribute.graphs) visit(graph);
  }

  /// At most two makers are looked at, so that a name that every level makes costs no more than another.
  void use(std::string_view name) {
    const auto found = makers_.find(name);
    if (found == makers_.end()) return;
    const std::vector<Maker>& makers = found->second;
    for (std::size_t k = makers.size(), seen = 0; k-- > 0 && seen < 2; ++seen) {
      if (!makers[k].node) return;
      Level& level = levels_[makers[k].level];
      if (level.current < level.nodes->size()) level.precedences.push_back({*makers[k].node, level.current});
      if (*makers[k].node < level.current) return;
      const bool is_own = makers[k].level + 1 == levels_.size();
      (is_own ? level.reads_later : level.captures_later) = true;
    }
  }

  std::vector<Level> levels_;
  std::unordered_map<std::string_view, std::vector<Maker>> makers_;  // the innermost last
  NodeOrders orders_;
};

}  // namespace

NodeOrders node_orders(const proto::Model& model) {
  Walk walk;
  for (const proto::Function& function : model.functions) walk.visit(function);
  for (const proto::Graph& graph : model.graph) walk.visit(graph);
  return walk.take();
}

}  // namespace ifcert::onnx
