// Nodes that would fail if a run came to them, where none does: in a branch that a constant cond does not select, or in
// the body of a loop without trips. They are legal, because only a run shows the sizes.
#include <algorithm>
#include <array>
#include <optional>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// More elements, and a larger position, than any value has.
constexpr std::int64_t beyond = 2 * most_elements;

/// A value whose first axis has a size that the runs vary: nothing but a run shows it. What a function is passed may
/// have any size that is known before.
std::optional<ScopedValue> any_of_varying_size(Maker& maker, Scope& scope) {
  using enum ElementType;
  if (scope.in_function) return std::nullopt;
  return any_value(maker, scope, [&](const Facts& facts) {
    const bool is_moved = facts.element == float32 || facts.element == int64 || facts.element == boolean;
    return is_moved && facts.has_rank() && !facts.extents->empty() &&
           std::ranges::count(maker.symbols, facts.extents->front()) > 0;
  });
}

bool add_beyond_sequence(Maker& maker, Scope& scope) {
  const auto sequence = any_value(maker, scope, [](const Facts& facts) { return facts.kind == Type::Kind::sequence; });
  if (!sequence) return false;
  Facts item = sequence->facts;
  item.kind = Type::Kind::tensor;
  item.length = 0;
  add(maker, scope, "SequenceAt", {*sequence, scalar(maker, scope, ElementType::int64, beyond)}, item);
  return true;
}

bool add_unfit_reshape(Maker& maker, Scope& scope) {
  const auto x = any_of_varying_size(maker, scope);
  if (!x) return false;
  Facts facts = x->facts;
  facts.extents = Extents{beyond};
  facts.most = beyond;
  add(maker, scope, "Reshape", {*x, list(maker, scope, {beyond})}, facts);
  return true;
}

bool add_beyond_axis(Maker& maker, Scope& scope) {
  const auto x = any_of_varying_size(maker, scope);
  if (!x) return false;
  Facts facts = x->facts;
  facts.extents->erase(facts.extents->begin());
  facts.truth.reset();
  add(maker, scope, "Gather", {*x, scalar(maker, scope, ElementType::int64, beyond)}, facts,
      {{"axis", std::int64_t{0}}});
  return true;
}

}  // namespace

bool add_failing_node(Maker& maker, Scope& scope) {
  if (!scope.never_runs) return false;
  const std::uint64_t first = maker.random.below(3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Step step = std::array<Step, 3>{add_beyond_sequence, add_unfit_reshape, add_beyond_axis}[(first + i) % 3];
    if (step(maker, scope)) return true;
  }
  return false;
}

}  // namespace ifcert::generator
