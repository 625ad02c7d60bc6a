// A scan output of Loop or Scan: the results of all trips, stacked.
#pragma once

#include <cstdint>
#include <ifcert/values.hpp>
#include <span>

#include "kernels/operator.hpp"

namespace ifcert {

/// Stacks the tensors of all trips of the node's body, of rank r, along a new axis in [-r - 1, r]. Without trips, the
/// result has the item's type, and the new axis has length 0; so have the axes of the item whose length is not known.
/// Throws EvaluationError where the trips do not agree in type and shape.
Value stack_trips(const kernels::Operands& operands, std::span<const Value> trips, const Type& item, std::int64_t axis);

/// Pads the stacked results of the batches of a Scan of version 8: "padded to the maximum-sequence-length", here with
/// zeros. Where no batch had a trip, the size of an element is not known, and nothing is padded.
void pad_batches(const kernels::Operands& operands, std::span<Value> batches, std::int64_t length);

}  // namespace ifcert
