// A Loop's scan output: what each trip gave, stacked.
#pragma once

#include <ifcert/values.hpp>
#include <span>

namespace ifcert {

/// The tensors of all trips along a new first axis. Without trips the result has the item's type and a first dim of 0;
/// dims of the item that are not known are 0 too. Throws std::runtime_error where the trips do not agree in type and
/// shape.
Value stack_trips(std::span<const Value> trips, const Type& item);

}  // namespace ifcert
