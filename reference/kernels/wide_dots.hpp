// Sums of products of float32 numbers on processors with AVX2, in less than half the time that dot() takes.
#pragma once

#include <cstddef>

namespace ifcert::kernels {

/// Computes the results of dots(), with the same bits. If the processor does not have AVX2, does nothing and returns
/// false. Reads rows of `length` numbers, one after the other, like dots().
bool wide_dots(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
               double* results);

}  // namespace ifcert::kernels
