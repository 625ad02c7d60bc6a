// A graph while it is made, and the values that are visible in it.
#pragma once

#include <algorithm>
#include <ifcert/graph.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/facts.hpp"

namespace ifcert::generator {

struct Scope;

/// A value: its graph, its slot there, and the knowledge about it.
struct ScopedValue {
  Scope* home = nullptr;
  Slot slot = no_slot;
  Facts facts;
};

struct Scope {
  Scope* outer = nullptr;  // nullptr in the main graph and in a function
  Graph graph = {};
  std::vector<Capture> captures = {};
  std::vector<ScopedValue> values = {};  // those that were made here or are inputs of this graph
  std::size_t depth = 0;                 // bodies around it
  std::size_t loops = 0;                 // loops around it
  bool in_function = false;
  bool never_runs = false;  // a constant cond selects the other branch, or the loop makes no trip
  std::optional<ScopedValue> cond = std::nullopt;  // that of the last If
};

/// The slot of the value in this scope; an outer value is captured by each graph in between.
inline Slot capture_into(Scope& scope, const ScopedValue& value) {
  if (value.home == &scope) return value.slot;
  const Slot outer = capture_into(*scope.outer, value);
  const auto captured = std::ranges::find(scope.captures, outer, &Capture::outer);
  if (captured != scope.captures.end()) return captured->inner;
  const Slot inner = scope.graph.add_slot(scope.outer->graph.slots[outer].name);
  scope.captures.push_back({outer, inner});
  return inner;
}

/// The values visible in the scope for which the predicate holds, from the outermost to the last made.
template <class Predicate>
std::vector<ScopedValue> visible(Scope& scope, const Predicate& fits) {
  std::vector<ScopedValue> found;
  if (scope.outer != nullptr) found = visible(*scope.outer, fits);
  for (const ScopedValue& value : scope.values) {
    if (fits(value.facts)) found.push_back(value);
  }
  return found;
}

}  // namespace ifcert::generator
