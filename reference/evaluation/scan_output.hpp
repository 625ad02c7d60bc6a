// The scan outputs of Loop and Scan: the results of all trips, stacked.
#pragma once

#include <cstdint>
#include <ifcert/values.hpp>
#include <span>

#include "kernels/operator.hpp"

namespace ifcert {

/// Stacks the results of all trips (or, in Scan version 8, of all batches), which are tensors of one rank r, along a
/// new axis in [-r - 1, r]. If there are none, the result is an empty tensor of `trip_type`, the
/// type of one result as it was inferred before the run: its element type, its dims (0 where unknown), and the new axis
/// with length 0. Throws EvaluationError if the results differ in type or shape.
/// `context` has the node and the meter; its inputs are not used.
Value stack_trips(const kernels::Operands& context, std::span<const Value> trips, const Type& trip_type,
                  std::int64_t axis);

/// Pads the batches of a scan output of Scan, version 8, with zeros: "padded to the maximum-sequence-length". If no
/// batch had a trip, the shape of an element is unknown, and nothing is padded. `context` is as in stack_trips().
void pad_batches(const kernels::Operands& context, std::span<Value> batches, std::int64_t length);

}  // namespace ifcert
