// dots() of float32 numbers in wide vectors, an extension of GCC and Clang, for the files that are compiled for one set
// of instructions. A double holds the product of two float32 numbers exactly, so a fused multiplication and addition
// has the same bits as the two operations. What is not inlined depends on the width, which is another in each file, so
// that no file is linked with functions that have another's instructions.
#pragma once

#include <cstddef>
#include <cstring>

namespace ifcert::kernels {

/// dot() adds every eighth product to the same sum.
inline constexpr std::size_t lanes = 8;

/// The eight sums of one result, in vectors of `width` doubles.
template <std::size_t width>
struct Sums;

template <>
struct Sums<4> {
  using Vector [[gnu::vector_size(4 * sizeof(double))]] = double;
  Vector parts[2] = {};
};

template <>
struct Sums<8> {
  using Vector [[gnu::vector_size(8 * sizeof(double))]] = double;
  Vector parts[1] = {};
};

// GCC 12 makes one instruction of a list of numbers, and several of __builtin_convertvector.
[[gnu::always_inline]] inline void widen(const float* from, Sums<4>::Vector& to) {
  to = Sums<4>::Vector{from[0], from[1], from[2], from[3]};
}

[[gnu::always_inline]] inline void widen(const float* from, Sums<8>::Vector& to) {
  to = Sums<8>::Vector{from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]};
}

/// The last four of the sums are added to the first four, then two to two, then one to one, as in dot().
[[gnu::always_inline]] inline double total(const Sums<4>& sums) {
  const auto four = sums.parts[0] + sums.parts[1];
  const auto two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
}

[[gnu::always_inline]] inline double total(const Sums<8>& sums) {
  const auto all = sums.parts[0];
  return total(Sums<4>{{__builtin_shufflevector(all, all, 0, 1, 2, 3), __builtin_shufflevector(all, all, 4, 5, 6, 7)}});
}

/// Adds eight products for each row of a and each row of b; rows are `a_step` and `b_step` numbers apart.
template <std::size_t width, std::size_t rows, std::size_t columns>
[[gnu::always_inline]] inline void add_eight(const float* a, std::size_t a_step, const double* b, std::size_t b_step,
                                             Sums<width> (&sums)[rows][columns]) {
  using Vector = Sums<width>::Vector;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t part = 0; part < lanes / width; ++part) {
      Vector left;
      widen(a + row * a_step + part * width, left);
      for (std::size_t column = 0; column < columns; ++column) {
        Vector right;
        std::memcpy(&right, b + column * b_step + part * width, sizeof right);
        sums[row][column].parts[part] += left * right;
      }
    }
  }
}

/// Adds the `rest` products after the last whole group of eight. The zeros behind them change no sum.
template <std::size_t width, std::size_t rows, std::size_t columns>
[[gnu::always_inline]] inline void add_rest(const float* a, const double* b, std::size_t length, std::size_t rest,
                                            Sums<width> (&sums)[rows][columns]) {
  float left[rows][lanes] = {};
  double right[columns][lanes] = {};
  for (std::size_t row = 0; row < rows; ++row) std::memcpy(left[row], a + row * length, rest * sizeof(float));
  for (std::size_t column = 0; column < columns; ++column)
    std::memcpy(right[column], b + column * length, rest * sizeof(double));
  add_eight(left[0], lanes, right[0], lanes, sums);
}

/// The sums for `rows` rows of a and `columns` rows of b, all at once. Rows of results are `step` numbers apart.
/// Meanwhile the same number of rows at `next` is fetched into the cache.
template <std::size_t width, std::size_t rows, std::size_t columns>
void multiply_block(const float* a, const float* next, const double* b, std::size_t length, double* results,
                    std::size_t step) {
  Sums<width> sums[rows][columns];
  const std::size_t whole = length - length % lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t row = 0; row < rows; ++row) __builtin_prefetch(next + row * length + i);
    add_eight(a + i, length, b + i, length, sums);
  }
  if (whole < length) add_rest(a + whole, b + whole, length, length - whole, sums);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) results[row * step + column] = total(sums[row][column]);
  }
}

/// The sums for all rows of a and `columns` rows of b: `at_once` rows of a at a time, then the remaining ones one by
/// one.
template <std::size_t width, std::size_t at_once, std::size_t columns>
void multiply_columns(const float* a, std::size_t rows, const double* b, std::size_t length, double* results,
                      std::size_t step) {
  const auto block_after = [&](std::size_t row, std::size_t count) {  // `row` itself where there is none
    return a + (row + 2 * count <= rows ? row + count : row) * length;
  };
  std::size_t row = 0;
  for (; row + at_once <= rows; row += at_once) {
    multiply_block<width, at_once, columns>(a + row * length, block_after(row, at_once), b, length,
                                            results + row * step, step);
  }
  for (; row < rows; ++row)
    multiply_block<width, 1, columns>(a + row * length, block_after(row, 1), b, length, results + row * step, step);
}

}  // namespace ifcert::kernels
