// What a body gives that is entered again and again: where there are no trips, nothing else says it.
#pragma once

#include <compare>
#include <cstddef>
#include <ifcert/graph.hpp>
#include <map>
#include <utility>
#include <vector>

namespace ifcert {

/// The number of a call of a function, each that can be reached counted by itself. The main graph has number 0.
using CallNumber = std::size_t;

/// For each Loop, Scan and SequenceMap the types of its body's outputs, as far as they are known before the run. The
/// operands of one call of a function may have other types than those of the next, so they are kept for each call.
class TripTypes {
 public:
  /// A node, in the graph of a function's body as that call sees it.
  struct Site {
    CallNumber call = 0;
    GraphIndex graph = 0;
    std::size_t node = 0;
    auto operator<=>(const Site&) const = default;
  };

  /// The number of the call that the node is.
  CallNumber number(const Site& call) { return calls_.try_emplace(call, calls_.size() + 1).first->second; }
  /// The same where it may have none, of a model without such bodies: 0.
  CallNumber find(const Site& call) const {
    const auto found = calls_.find(call);
    return found == calls_.end() ? 0 : found->second;
  }

  void record(const Site& site, std::vector<Type> outputs) { types_[site] = std::move(outputs); }
  /// Of the body's i-th output; unknown where nothing was recorded.
  const Type& output(const Site& site, std::size_t i) const {
    static const Type unknown;
    const auto found = types_.find(site);
    return found == types_.end() || i >= found->second.size() ? unknown : found->second[i];
  }

 private:
  std::map<Site, CallNumber> calls_;
  std::map<Site, std::vector<Type>> types_;
};

}  // namespace ifcert
