// Sums of products of float32 numbers with the vector instructions of the processor, in less than half the time that
// dot() takes. Eigen's vectors have two doubles, which is all that the program as a whole may assume.
#pragma once

#include <cstddef>
#include <span>

namespace ifcert::kernels {

/// Computes the results of dots(), with the same bits. The operands are those of dots(): rows of `length` numbers, one
/// row after the other. Each number of b is a float32 number, stored as double.
using WideDots = void (*)(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
                          double* results);

/// The functions that this processor can execute, the fastest first: for AVX-512 and for AVX2. None on other
/// processors.
std::span<const WideDots> wide_dots();

/// For processors with AVX-512, and with AVX2 and FMA.
void dots_avx512(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
                 double* results);
void dots_avx2(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
               double* results);

}  // namespace ifcert::kernels
