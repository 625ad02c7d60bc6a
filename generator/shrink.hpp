// The smallest model that still shows something: hierarchical delta debugging on the graph form.
//
// Whole runs, outputs and bodies go first, then stretches of nodes, single nodes, captures, inputs, numbers, shapes,
// attributes and names. What is dropped is replaced by an operand, a constant or an earlier value of the same type.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "generator/generate.hpp"

namespace ifcert::generator {

struct ShrinkLimits {
  std::size_t tries = 3000;
  std::chrono::milliseconds time{120'000};
  std::function<bool()> stop = [] { return false; };
};

struct Shrunk {
  Generated smallest;
  std::size_t tries = 0;
  bool complete = false;  // no single change makes it smaller; false where a limit was reached
};

/// Whether a smaller candidate still shows the same. The candidate need not be legal: the caller checks that.
using Shows = std::function<bool(const Generated&)>;

/// Each step makes the model smaller, so that it ends. The result is determined by the model and by what `shows`
/// returns, unless the time runs out.
Shrunk shrink(const Generated& generated, const Shows& shows, const ShrinkLimits& limits = {});

/// How large a model and its runs are: every step of shrink() makes this smaller.
std::size_t weight_of(const Generated& generated);

/// The number of nodes that the main graph and the functions reach.
std::size_t count_of_nodes(const Model& model);

}  // namespace ifcert::generator
