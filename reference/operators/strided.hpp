// Strided walks over a tensor's elements, for slices, transposes and repetitions.
#pragma once

#include <cstdint>
#include <vector>

#include "operators/result.hpp"

namespace ifcert::kernels {

/// One axis of a walk: `count` elements, neighbours `step` apart; 0 is the same element again, negative is backwards.
struct Stride {
  std::int64_t count;
  std::int64_t step;
};

/// The distance between neighbours along each axis in a tensor with those dims, which must have elements.
Dims steps_of(const Dims& dims);

/// Appends to `result` the elements of `source` that a walk from element `first` visits, the last axis fastest. All
/// of them must exist.
void append_strided(const Tensor& source, std::int64_t first, std::vector<Stride> axes, Result& result);

}  // namespace ifcert::kernels
