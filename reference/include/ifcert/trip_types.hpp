// The types that a trip of a loop returns. A loop that makes no trip returns empty results, which need these types.
#pragma once

#include <compare>
#include <cstddef>
#include <ifcert/graph.hpp>
#include <map>
#include <utility>
#include <vector>

namespace ifcert {

/// The number of a call. A call node in a function has a different number for each call of that function, so a number
/// stands for a whole chain of calls. 0: not in a call (the main graph).
using CallNumber = std::size_t;

/// For each Loop, Scan and SequenceMap whose body is in the node itself, not passed by a call: the types of its body's
/// outputs, as far as they are known before a run. A loop in a function has them for each call of the function, because
/// the operands of different calls may have different types.
class TripTypes {
 public:
  /// A node, and the call of the function that contains it (0 in the main graph).
  struct NodeInCall {
    CallNumber in_call = 0;
    GraphIndex graph = 0;
    std::size_t node = 0;
    auto operator<=>(const NodeInCall&) const = default;
  };

  /// The number of the call that this node makes; a new one if it has none yet.
  CallNumber assign_call_number(const NodeInCall& call_node) {
    return calls_.try_emplace(call_node, calls_.size() + 1).first->second;
  }
  /// The number of the call that this node makes. It has none if no types were recorded, as in a model without loops;
  /// then this returns 0, and output() finds nothing.
  CallNumber call_number(const NodeInCall& call_node) const {
    const auto found = calls_.find(call_node);
    return found == calls_.end() ? 0 : found->second;
  }

  void record(const NodeInCall& site, std::vector<Type> outputs) { types_[site] = std::move(outputs); }
  /// The type of the body's i-th output; unknown if none was recorded.
  const Type& output(const NodeInCall& site, std::size_t i) const {
    static const Type unknown;
    const auto found = types_.find(site);
    return found == types_.end() || i >= found->second.size() ? unknown : found->second[i];
  }

 private:
  std::map<NodeInCall, CallNumber> calls_;
  std::map<NodeInCall, std::vector<Type>> types_;
};

}  // namespace ifcert
