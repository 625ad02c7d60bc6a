// Why a name is not visible: the rule that a dangling use breaks depends on where, if anywhere, the name is defined.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/onnx/node_order.hpp"
#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

/// Follows the reader through the nested lists of nodes; used only when a name was not found. Each list is searched
/// once, however many names are missing in it.
class MissingName {
 public:
  explicit MissingName(const proto::Model& model) : model_(model) {}

  void enter(const proto::List<proto::Node>& nodes) { inside_.emplace_back(&nodes); }
  void at(std::size_t node) { inside_.back().current = node; }
  void leave() { inside_.pop_back(); }

  struct Reason {
    std::string_view rule, expected;
    bool allowable = false;  // only the order of the nodes is wrong
  };

  Reason explain(std::string_view name);

 private:
  using LastMaker = std::unordered_map<std::string_view, std::size_t>;
  using NameSet = std::unordered_set<std::string_view>;

  struct Level {
    explicit Level(const proto::List<proto::Node>* list) : nodes(list) {}
    const proto::List<proto::Node>* nodes;
    std::size_t current = 0;
    std::unique_ptr<const LastMaker> makers = {};     // by name, built on first use
    std::unique_ptr<const NameSet> made_inside = {};  // in any body below the nodes, built on first use
  };

  static bool is_made_later(Level& level, std::string_view name);
  static bool is_made_inside(Level& level, std::string_view name);

  bool is_made_once_sorted(std::size_t level, std::string_view name);

  const proto::Model& model_;
  std::optional<NodeOrders> orders_;  // made on first use
  std::vector<Level> inside_;
};

}  // namespace ifcert::onnx
