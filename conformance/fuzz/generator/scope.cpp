#include "conformance/fuzz/generator/scope.hpp"

#include <algorithm>

namespace ifcert::generator {

Slot capture_into(Scope& scope, const ScopedValue& value) {
  if (value.home == &scope) return value.slot;
  const Slot outer = capture_into(*scope.outer, value);
  const auto captured = std::ranges::find(scope.captures, outer, &Capture::outer);
  if (captured != scope.captures.end()) return captured->inner;
  const Slot inner = scope.graph.add_slot(scope.outer->graph.slots[outer].name);
  scope.captures.push_back({outer, inner});
  return inner;
}

}  // namespace ifcert::generator
