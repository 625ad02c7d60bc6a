// The scan outputs of Loop and Scan: the results of all trips, stacked.
#pragma once

#include <cstdint>
#include <ifcert/values.hpp>
#include <span>

#include "limits/meter.hpp"
#include "operators/operator.hpp"

namespace ifcert {

/// Stacks the results of all trips (or, in Scan version 8, of all batches), which are tensors of one rank r, along a
/// new axis in [-r - 1, r]. If there are none, the result is empty: it has the element type and the
/// dims of `trip_type` (the inferred type of one result; unknown dims become 0) and the new axis, of length 0. If the
/// rank is unknown, it has the new axis alone. Throws EvaluationError if the results differ in type or shape.
/// `context` has the node and the work; its inputs are not used.
Value stack_trips(const kernels::Operands& context, std::span<const Value> trips, const Type& trip_type,
                  std::int64_t axis);

/// Pads the batches of a scan output of Scan, version 8, with zeros to `length` elements. If no batch had a trip, there
/// is no result to take the shape of an element from, and the batches keep length 0. `charge` is for padded batches
/// that are too small for kernels to charge them. `context` is as in stack_trips(). Sentence: operators-scan-8-padded.
void pad_batches(const kernels::Operands& context, std::span<Value> batches, std::int64_t length, Charge& charge);

}  // namespace ifcert
