// An order for things of which some need others before them: nodes, layers, operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ifcert {

/// `first` comes before `then`.
struct Precedence {
  std::uint32_t first, then;
};

struct TopologicalOrder {
  std::vector<std::uint32_t> order;  // all of them; those that cannot be placed come last, in their old order
  std::vector<bool> placed;          // false for those in a cycle, and for those that need one of them
};

/// Next is always the first of the old order whose predecessors are placed: what is in order already stays as it is.
TopologicalOrder topological_order(std::uint32_t count, std::span<const Precedence> precedences);

}  // namespace ifcert
