#include "conformance/fuzz/generator/carried.hpp"

#include <algorithm>

#include "conformance/fuzz/generator/steps.hpp"

namespace ifcert::generator {
namespace {

/// The largest number, and the most elements, that one trip adds.
constexpr std::int64_t step_bound = 64;

constexpr std::int64_t largest_initial = 4096;

/// Whether a trip may return the value in place of the carried one: it does not depend on how far earlier trips went.
bool replaces(const Known& value, const Known& carried, std::int64_t bound) {
  return value.kind == carried.kind && value.element == carried.element && value.extents == carried.extents &&
         value.numbers.bound <= bound && value.most <= carried.most && value.length >= carried.length &&
         (carried.numbers.opaque || !value.numbers.opaque);
}

/// carried + step
std::optional<ScopedValue> added(Maker& maker, Scope& body, const Carried& carried) {
  const Known& known = carried.inside.known;
  const auto step = any_value(maker, body, [&](const Known& other) {
    const bool is_scalar = other.has_rank() && other.extents->empty();
    return other.is_number() && other.element == known.element && other.numbers.bound <= step_bound &&
           (is_scalar || (known.has_rank() && other.extents == known.extents));
  });
  if (!step) return std::nullopt;
  return add(maker, body, maker.random.any_of({"Add", "Sub"}), {carried.inside, *step}, known);
}

/// The sequence and one more item.
std::optional<ScopedValue> longer(Maker& maker, Scope& body, const Carried& carried, CarriedBounds bounds) {
  const Known& known = carried.inside.known;
  const auto item = any_value(maker, body, [&](const Known& other) {
    return other.is_tensor() && other.element == known.element && other.numbers.bound <= bounds.initial &&
           other.most <= known.most && (known.numbers.opaque || !other.numbers.opaque);
  });
  if (!item) return std::nullopt;
  return add(maker, body, "SequenceInsert", {carried.inside, *item}, known);
}

/// Another carried value of the same type, so that values rotate from trip to trip.
Carried rotated(Maker& maker, const Carried& carried, const std::vector<Carried>& all) {
  const Carried& other = all[maker.random.below(all.size())];
  const bool fits = !other.grows && replaces(other.inside.known, carried.inside.known, largest_number);
  return fits ? other : carried;
}

ScopedValue next_of(Maker& maker, Scope& body, const Carried& carried, const std::vector<Carried>& all,
                    CarriedBounds bounds) {
  const Known& known = carried.inside.known;
  if (carried.grows) {
    return add(maker, body, "Concat", {carried.inside, carried.initial}, known, {{"axis", std::int64_t{0}}});
  }
  const std::uint64_t way = maker.random.below(10);
  std::optional<ScopedValue> next;
  if (way < 5 && known.is_number()) next = added(maker, body, carried);
  if (way < 5 && known.kind == Type::Kind::sequence) next = longer(maker, body, carried, bounds);
  if (!next && way < 8) {
    const std::int64_t bound = known.is_bool() ? 1 : bounds.initial;
    next = any_value(maker, body, [&](const Known& other) { return replaces(other, known, bound); });
  }
  return next ? *next : rotated(maker, carried, all).inside;
}

}  // namespace

std::int64_t CarriedBounds::any() const {
  return initial + most_trips * step_bound;
}

std::vector<ScopedValue> values_to_carry(Maker& maker, Scope& scope, std::size_t most, bool keeps_shape) {
  std::vector<ScopedValue> values;
  while (values.size() < most) {
    const auto value = any_value(maker, scope, [&](const Known& known) {
      const bool fits = known.kind == Type::Kind::tensor || (known.kind == Type::Kind::sequence && !keeps_shape);
      return fits && known.numbers.bound <= largest_initial && known.most <= largest_initial / 2 &&
             (!keeps_shape || known.has_rank());
    });
    if (!value) break;
    values.push_back(*value);
  }
  return values;
}

CarriedBounds bounds_of(const std::vector<ScopedValue>& initial) {
  CarriedBounds bounds{step_bound};
  for (const ScopedValue& value : initial) bounds.initial = std::max(bounds.initial, value.known.numbers.bound);
  return bounds;
}

Carried add_carried(Maker& maker, Scope& body, const ScopedValue& initial, CarriedBounds bounds, bool may_grow) {
  using enum ElementType;
  Known known = initial.known;
  known.truth.reset();
  if (known.element != boolean) known.numbers.bound = bounds.any();
  known.numbers.negative_zero = known.element == float32;
  const bool is_list = known.has_rank() && !known.extents->empty() && known.most <= step_bound &&
                       (known.element == float32 || known.element == int64);
  Carried carried{.initial = initial, .inside = {}, .grows = may_grow && is_list && maker.random.percent(30)};
  if (carried.grows) {
    known.extents->front() = maker.sizes.fresh();
    known.most += most_trips * step_bound;
  }
  carried.inside = add_input(maker, body, known);
  return carried;
}

void add_next(Maker& maker, Scope& body, const Carried& carried, const std::vector<Carried>& all,
              CarriedBounds bounds) {
  ScopedValue next = next_of(maker, body, carried, all, bounds);
  next.known = carried.inside.known;
  add_output(maker, body, next);
}

std::optional<ScopedValue> any_of_each_trip(Maker& maker, Scope& body, AxisSize mark) {
  using enum ElementType;
  return any_value(maker, body, [&](const Known& known) {
    const bool has_type = known.element == float32 || known.element == int64 || known.element == boolean ||
                          (known.element == string && maker.is_for(Format::onnx));
    const bool keeps_shape = known.has_rank() && std::ranges::all_of(*known.extents, [&](AxisSize extent) {
                               return extent >= 0 || (extent >= mark && !maker.is_for(Format::tflite));
                             });
    return known.is_tensor() && has_type && keeps_shape && known.most * most_trips <= most_elements;
  });
}

Known collected(const Known& each, AxisSize trips) {
  Extents extents{trips};
  extents.insert(extents.end(), each.extents->begin(), each.extents->end());
  Known known = tensor_of(each.element, std::move(extents), each.numbers);
  known.most = std::max<std::int64_t>(each.most * most_trips, 1);
  return known;
}

}  // namespace ifcert::generator
