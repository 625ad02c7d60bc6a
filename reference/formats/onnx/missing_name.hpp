// Why a name is not visible: the rule that a dangling use breaks depends on where, if anywhere, the name is defined.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/onnx/made_names.hpp"
#include "formats/onnx/node_order.hpp"
#include "formats/onnx/proto.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {

/// Follows the reader through the nested lists of nodes; used only when a name was not found. Each list is searched
/// once, however many names are missing in it.
class MissingName {
 public:
  explicit MissingName(const proto::Model& file) : file_(file) {}

  /// Enters a graph, whose place must stay where it is until leave().
  void enter(const proto::List<proto::Node>& nodes, const Place& place) { inside_.emplace_back(&nodes, &place); }
  void at(std::size_t node) { inside_.back().current = node; }
  void leave() { inside_.pop_back(); }

  struct Reason {
    std::string_view rule;
    std::string found;
    std::string_view expected;
    bool allowable = false;  // only the order of the nodes is wrong
  };
  Reason explain(std::string_view name);

 private:
  using LastMaker = std::unordered_map<std::string_view, std::size_t>;

  struct Level {
    Level(const proto::List<proto::Node>* list, const Place* graph) : nodes(list), place(graph) {}
    const proto::List<proto::Node>* nodes;
    const Place* place;
    std::size_t current = 0;
    std::optional<LastMaker> makers = {};       // by name, built on first use
    std::optional<MadeNames> made_inside = {};  // built on first use
  };

  static std::optional<std::size_t> later_maker(Level& level, std::string_view name);
  std::optional<Reason> made_later(std::string_view name);
  std::optional<std::string> made_inside(std::string_view name);
  std::optional<std::string> made_anywhere(std::string_view name);
  std::string found_in(std::string_view name, const std::string& graph) const;

  bool is_made_once_sorted(std::size_t level, std::string_view name);

  const proto::Model& file_;
  std::optional<NodeOrders> orders_;  // made on first use
  std::vector<Level> inside_;
  std::optional<MadeNames> made_anywhere_;  // built on first use
};

}  // namespace ifcert::onnx
