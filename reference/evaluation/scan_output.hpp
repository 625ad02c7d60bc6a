// A scan output of Loop or Scan: the results of all trips, stacked.
#pragma once

#include <cstdint>
#include <ifcert/values.hpp>
#include <span>

#include "kernels/operator.hpp"

namespace ifcert {

/// The tensors of all trips of the node's body along a new axis, in [-r - 1, r] of their rank r. Without trips the
/// result has the item's type and 0 as the new dim; dims of the item that are not known are 0 too. Throws
/// EvaluationError where the trips do not agree in type and shape.
Value stack_trips(const kernels::Operands& operands, std::span<const Value> trips, const Type& item, std::int64_t axis);

/// Pads the stacked results of the batches of a Scan of version 8: "padded to the maximum-sequence-length", here with
/// zeros. Where no batch had a trip, the size of an element is not known, and nothing is padded.
void pad_batches(const kernels::Operands& operands, std::span<Value> batches, std::int64_t length);

}  // namespace ifcert
