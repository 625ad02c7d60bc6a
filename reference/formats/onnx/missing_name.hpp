// Why a name is not visible: the rule that a dangling use breaks depends on where, if anywhere, the name is defined.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

/// Follows the reader through the nested lists of nodes, and is asked only when a name was not found.
class MissingName {
 public:
  void enter(const std::vector<proto::Node>& nodes) { inside_.emplace_back(&nodes, 0); }
  void at(std::size_t node) { inside_.back().second = node; }
  void leave() { inside_.pop_back(); }

  /// The rule broken and what it asks.
  std::pair<std::string, std::string> explain(std::string_view name) const;

 private:
  std::vector<std::pair<const std::vector<proto::Node>*, std::size_t>> inside_;
};

}  // namespace ifcert::onnx
