// Stacks tensors along a new axis, and takes one out again.
#pragma once

#include <ifcert/values.hpp>
#include <span>

#include "operators/operator.hpp"

namespace ifcert::kernels {

/// The tensors, of which there is at least one, along a new axis in [-r - 1, r] where r is their rank. Throws
/// EvaluationError where one is not a tensor, or they differ in type or shape.
Value stacked(const Operands& operands, std::span<const Value> tensors, std::int64_t axis);

/// The slice of the tensor at `position` along `axis` (counted from the front), which does not have that axis.
Value element_along(const Operands& operands, const Tensor& tensor, std::size_t axis, std::int64_t position);

}  // namespace ifcert::kernels
