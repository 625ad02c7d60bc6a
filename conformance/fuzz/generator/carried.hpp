// Values that a loop carries from trip to trip. What is known of them in the body must hold in every trip, so their
// numbers and sizes have bounds that no trip can exceed.
#pragma once

#include "conformance/fuzz/generator/maker.hpp"

namespace ifcert::generator {

/// The most trips that a loop makes.
inline constexpr std::int64_t most_trips = 4;

/// A value before the first trip, and in a trip.
struct Carried {
  ScopedValue initial;
  ScopedValue inside;
  bool grows = false;  // along its first axis, in every trip
};

/// The bounds of a loop's carried numbers: before the first trip, and in any trip.
struct CarriedBounds {
  std::int64_t initial;
  std::int64_t any() const;
};

/// Values to carry, at most `most`. Where `keeps_shape` is set, no trip may change a shape.
std::vector<ScopedValue> values_to_carry(Maker& maker, Scope& scope, std::size_t most, bool keeps_shape);

CarriedBounds bounds_of(const std::vector<ScopedValue>& initial);

/// The input of the body for a carried value; call it after the mark of the body is taken.
Carried add_carried(Maker& maker, Scope& body, const ScopedValue& initial, CarriedBounds bounds, bool may_grow);

/// Adds the value that a trip passes to the next one, as an output of the body.
void add_next(Maker& maker, Scope& body, const Carried& carried, const std::vector<Carried>& all, CarriedBounds bounds);

/// A tensor that every trip can return in the same shape; nullopt where there is none.
std::optional<ScopedValue> any_of_each_trip(Maker& maker, Scope& body, AxisSize mark);

/// The knowledge about a scan output: what `trips` trips returned, stacked.
Facts collected(const Facts& each, AxisSize trips);

}  // namespace ifcert::generator
