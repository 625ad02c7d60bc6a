// Finds the smallest model that still shows a given behaviour: hierarchical delta debugging on the graph form.
//
// Whole runs, outputs and bodies go first, then stretches of nodes, single nodes, captures, inputs, numbers, shapes,
// attributes and names. A dropped value is replaced by an operand, a constant or an earlier value of the same type.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "conformance/fuzz/generator/generate.hpp"

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

/// Whether a smaller candidate still shows the behaviour. Candidates may be illegal: this function must check that.
using Shows = std::function<bool(const Generated&)>;

/// Each step makes the model smaller, so the search ends. The result depends only on the model and on `shows`, unless
/// the time runs out.
Shrunk shrink(const Generated& generated, const Shows& shows, const ShrinkLimits& limits = {});

/// The size of a model and its runs. Every step of shrink() reduces it.
std::size_t weight_of(const Generated& generated);

/// The number of nodes that the main graph and the functions reach.
std::size_t count_of_nodes(const Model& model);

}  // namespace ifcert::generator
