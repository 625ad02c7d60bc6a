#include "conformance/fuzz/generator/carried.hpp"

#include <algorithm>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// The largest number, and the most elements, that one trip adds.
constexpr std::int64_t step_bound = 64;

constexpr std::int64_t largest_initial = 4096;

/// Whether a trip may return the value in place of the carried one: it does not depend on how far earlier trips went.
bool replaces(const Facts& value, const Facts& carried, std::int64_t bound) {
  return value.kind == carried.kind && value.element == carried.element && value.extents == carried.extents &&
         value.numbers.bound <= bound && value.most <= carried.most && value.length >= carried.length &&
         (carried.numbers.opaque || !value.numbers.opaque);
}

/// carried + step
std::optional<ScopedValue> added(Maker& maker, Scope& body, const Carried& carried) {
  const Facts& facts = carried.inside.facts;
  const auto step = any_value(maker, body, [&](const Facts& other) {
    const bool is_scalar = other.has_rank() && other.extents->empty();
    return other.is_number() && other.element == facts.element && other.numbers.bound <= step_bound &&
           (is_scalar || (facts.has_rank() && other.extents == facts.extents));
  });
  if (!step) return std::nullopt;
  return add(maker, body, maker.random.any_of({"Add", "Sub"}), {carried.inside, *step}, facts);
}

/// The sequence and one more item.
std::optional<ScopedValue> longer(Maker& maker, Scope& body, const Carried& carried, CarriedBounds bounds) {
  const Facts& facts = carried.inside.facts;
  const auto item = any_value(maker, body, [&](const Facts& other) {
    return other.is_tensor() && other.element == facts.element && other.numbers.bound <= bounds.initial &&
           other.most <= facts.most && (facts.numbers.opaque || !other.numbers.opaque);
  });
  if (!item) return std::nullopt;
  return add(maker, body, "SequenceInsert", {carried.inside, *item}, facts);
}

/// Another carried value of the same type, so that values rotate from trip to trip.
Carried rotated(Maker& maker, const Carried& carried, const std::vector<Carried>& all) {
  const Carried& other = all[maker.random.below(all.size())];
  const bool fits = !other.grows && replaces(other.inside.facts, carried.inside.facts, largest_number);
  return fits ? other : carried;
}

ScopedValue next_of(Maker& maker, Scope& body, const Carried& carried, const std::vector<Carried>& all,
                    CarriedBounds bounds) {
  const Facts& facts = carried.inside.facts;
  if (carried.grows) {
    return add(maker, body, "Concat", {carried.inside, carried.initial}, facts, {{"axis", std::int64_t{0}}});
  }
  const std::uint64_t way = maker.random.below(10);
  std::optional<ScopedValue> next;
  if (way < 5 && facts.is_number()) next = added(maker, body, carried);
  if (way < 5 && facts.kind == Type::Kind::sequence) next = longer(maker, body, carried, bounds);
  if (!next && way < 8) {
    const std::int64_t bound = facts.is_bool() ? 1 : bounds.initial;
    next = any_value(maker, body, [&](const Facts& other) { return replaces(other, facts, bound); });
  }
  return next ? *next : rotated(maker, carried, all).inside;
}

}  // namespace

std::int64_t CarriedBounds::any() const {
  return initial + most_trips * step_bound;
}

std::vector<ScopedValue> values_to_carry(Maker& maker, Scope& scope, std::size_t most, bool keeps_shape) {
  std::vector<ScopedValue> values;
  const auto is_sequence = [](const Facts& facts) {
    return facts.kind == Type::Kind::sequence && facts.numbers.bound <= largest_initial &&
           facts.most <= largest_initial / 2;
  };
  const auto sequence = any_value(maker, scope, is_sequence);
  if (sequence && !keeps_shape && most > 0 && maker.random.percent(40)) values.push_back(*sequence);
  while (values.size() < most) {
    const auto value = any_value(maker, scope, [&](const Facts& facts) {
      const bool fits = facts.kind == Type::Kind::tensor || (facts.kind == Type::Kind::sequence && !keeps_shape);
      return fits && facts.numbers.bound <= largest_initial && facts.most <= largest_initial / 2 &&
             (!keeps_shape || facts.has_rank());
    });
    if (!value) break;
    values.push_back(*value);
  }
  return values;
}

CarriedBounds bounds_of(const std::vector<ScopedValue>& initial) {
  CarriedBounds bounds{step_bound};
  for (const ScopedValue& value : initial) bounds.initial = std::max(bounds.initial, value.facts.numbers.bound);
  return bounds;
}

Carried add_carried(Maker& maker, Scope& body, const ScopedValue& initial, CarriedBounds bounds, bool may_grow) {
  using enum ElementType;
  Facts facts = initial.facts;
  facts.truth.reset();
  if (facts.element != boolean) facts.numbers.bound = bounds.any();
  facts.numbers.negative_zero = facts.element == float32;
  const bool is_list = facts.has_rank() && !facts.extents->empty() && facts.most <= step_bound &&
                       (facts.element == float32 || facts.element == int64);
  Carried carried{.initial = initial, .inside = {}, .grows = may_grow && is_list && maker.random.percent(30)};
  if (carried.grows) {
    facts.extents->front() = maker.sizes.fresh();
    facts.most += most_trips * step_bound;
  }
  carried.inside = add_input(maker, body, facts);
  return carried;
}

void add_next(Maker& maker, Scope& body, const Carried& carried, const std::vector<Carried>& all,
              CarriedBounds bounds) {
  ScopedValue next = next_of(maker, body, carried, all, bounds);
  next.facts = carried.inside.facts;
  add_output(maker, body, next);
}

std::optional<ScopedValue> any_of_each_trip(Maker& maker, Scope& body, AxisSize mark) {
  using enum ElementType;
  return any_value(maker, body, [&](const Facts& facts) {
    const bool has_type = facts.element == float32 || facts.element == int64 || facts.element == boolean ||
                          (facts.element == string && maker.is_for(Format::onnx));
    const bool keeps_shape = facts.has_rank() && std::ranges::all_of(*facts.extents, [&](AxisSize extent) {
                               return extent >= 0 || (extent >= mark && !maker.is_for(Format::tflite));
                             });
    return facts.is_tensor() && has_type && keeps_shape && facts.most * most_trips <= most_elements;
  });
}

Facts collected(const Facts& each, AxisSize trips) {
  Extents extents{trips};
  extents.insert(extents.end(), each.extents->begin(), each.extents->end());
  Facts facts = tensor_of(each.element, std::move(extents), each.numbers);
  facts.most = std::max<std::int64_t>(each.most * most_trips, 1);
  return facts;
}

}  // namespace ifcert::generator
