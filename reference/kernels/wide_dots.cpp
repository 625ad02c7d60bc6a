// Eigen's vectors have two doubles, which is all that the program as a whole may assume; the vectors here have four.
#include "kernels/wide_dots.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ifcert::kernels {

#ifdef __x86_64__

namespace {

constexpr std::size_t lanes = 8;

/// Adds the products after the last whole group of eight, each to a lane of its own.
[[gnu::target("avx2")]] void add_rest(const float* a, const double* b, std::size_t count, __m256d (&sums)[2]) {
  double sum[lanes];
  _mm256_storeu_pd(sum, sums[0]);
  _mm256_storeu_pd(sum + 4, sums[1]);
  for (std::size_t i = 0; i < count; ++i) sum[i] += double{a[i]} * b[i];
  sums[0] = _mm256_loadu_pd(sum);
  sums[1] = _mm256_loadu_pd(sum + 4);
}

/// The sum of the eight lanes, added as in dot(): the last four to the first four, then two to two, then one to one.
[[gnu::target("avx2")]] inline double added(const __m256d (&sums)[2]) {
  const __m256d four = _mm256_add_pd(sums[0], sums[1]);
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

/// The sums for `rows` rows of a and `columns` rows of b, all at once. Rows of results are `step` numbers apart.
/// Meanwhile the same number of rows at `next` is fetched into the cache.
template <std::size_t rows, std::size_t columns>
[[gnu::target("avx2")]] void multiply_block(const float* a, const float* next, const double* b, std::size_t length,
                                            double* results, std::size_t step) {
  __m256d sums[rows][columns][2];
  for (auto& row : sums) {
    for (auto& pair : row) pair[0] = pair[1] = _mm256_setzero_pd();
  }
  const std::size_t whole = length - length % lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t row = 0; row < rows; ++row) {
      _mm_prefetch(next + row * length + i, _MM_HINT_T0);
      for (std::size_t half = 0; half < 2; ++half) {
        const __m256d left = _mm256_cvtps_pd(_mm_loadu_ps(a + row * length + i + 4 * half));
        for (std::size_t column = 0; column < columns; ++column) {
          const __m256d right = _mm256_loadu_pd(b + column * length + i + 4 * half);
          sums[row][column][half] = _mm256_add_pd(sums[row][column][half], _mm256_mul_pd(left, right));
        }
      }
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (whole < length)
        add_rest(a + row * length + whole, b + column * length + whole, length - whole, sums[row][column]);
      results[row * step + column] = added(sums[row][column]);
    }
  }
}

/// The sums for all rows of a and `columns` rows of b: `at_once` rows of a at a time, then the remaining ones one by
/// one.
template <std::size_t at_once, std::size_t columns>
void multiply_columns(const float* a, std::size_t rows, const double* b, std::size_t length, double* results,
                      std::size_t step) {
  const auto multiply = [&]<std::size_t count>(std::size_t row) {
    const float* first = a + row * length;
    const float* next = row + 2 * count <= rows ? first + count * length : first;
    multiply_block<count, columns>(first, next, b, length, results + row * step, step);
    return row + count;
  };
  std::size_t row = 0;
  while (row + at_once <= rows) row = multiply.template operator()<at_once>(row);
  while (row < rows) row = multiply.template operator()<1>(row);
}

}  // namespace

bool wide_dots(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
               double* results) {
  if (!__builtin_cpu_supports("avx2")) return false;
  std::size_t column = 0;
  for (; column + 2 <= columns; column += 2)
    multiply_columns<3, 2>(a, rows, b + column * length, length, results + column, columns);
  if (column < columns) multiply_columns<4, 1>(a, rows, b + column * length, length, results + column, columns);
  return true;
}

#else

bool wide_dots(const float* /*a*/, std::size_t /*rows*/, const double* /*b*/, std::size_t /*columns*/,
               std::size_t /*length*/, double* /*results*/) {
  return false;
}

#endif

}  // namespace ifcert::kernels
