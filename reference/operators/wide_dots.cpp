// Eigen's vectors have two doubles, which is all that the program as a whole may assume; the vectors here have four or
// eight. A double holds the product of two float32 numbers exactly, so a fused multiplication and addition has the same
// bits as the two operations.
#include "operators/wide_dots.hpp"

#include <vector>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ifcert::kernels {

#ifdef __x86_64__

namespace {

constexpr std::size_t lanes = 8;

/// Four sums of doubles, added as in dot(): two to two, then one to one.
[[gnu::target("avx2,fma")]] inline double added(__m256d four) {
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

/// Two vectors of four lanes.
struct Avx2 {
  /// Adds the products after the last whole group of eight, each to a lane of its own.
  [[gnu::target("avx2,fma")]] static void add_rest(const float* a, const double* b, std::size_t count,
                                                   __m256d (&sums)[2]) {
    double sum[lanes];
    _mm256_storeu_pd(sum, sums[0]);
    _mm256_storeu_pd(sum + 4, sums[1]);
    for (std::size_t i = 0; i < count; ++i) sum[i] += double{a[i]} * b[i];
    sums[0] = _mm256_loadu_pd(sum);
    sums[1] = _mm256_loadu_pd(sum + 4);
  }

  /// The sums for `rows` rows of a and `columns` rows of b, all at once. Rows of results are `step` numbers apart.
  /// Meanwhile the same number of rows at `next` is fetched into the cache.
  template <std::size_t rows, std::size_t columns>
  [[gnu::target("avx2,fma")]] static void multiply_block(const float* a, const float* next, const double* b,
                                                         std::size_t length, double* results, std::size_t step) {
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
            sums[row][column][half] = _mm256_fmadd_pd(left, right, sums[row][column][half]);
          }
        }
      }
    }
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        auto& sum = sums[row][column];
        if (whole < length) add_rest(a + row * length + whole, b + column * length + whole, length - whole, sum);
        results[row * step + column] = added(_mm256_add_pd(sum[0], sum[1]));
      }
    }
  }
};

/// One vector of eight lanes.
struct Avx512 {
  // GCC 12 warns of an uninitialized variable in the functions that have no mask (GCC bug 105593).
  static constexpr __mmask8 all = 0xff;

  /// As Avx2::multiply_block().
  template <std::size_t rows, std::size_t columns>
  [[gnu::target("avx512f,avx512vl,avx2,fma")]] static void multiply_block(const float* a, const float* next,
                                                                          const double* b, std::size_t length,
                                                                          double* results, std::size_t step) {
    __m512d sums[rows][columns];
    for (auto& row : sums) {
      for (auto& sum : row) sum = _mm512_setzero_pd();
    }
    const std::size_t whole = length - length % lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
      for (std::size_t row = 0; row < rows; ++row) {
        _mm_prefetch(next + row * length + i, _MM_HINT_T0);
        const __m512d left = _mm512_maskz_cvtps_pd(all, _mm256_loadu_ps(a + row * length + i));
        for (std::size_t column = 0; column < columns; ++column) {
          const __m512d right = _mm512_loadu_pd(b + column * length + i);
          sums[row][column] = _mm512_fmadd_pd(left, right, sums[row][column]);
        }
      }
    }
    const auto rest = static_cast<__mmask8>((1U << (length - whole)) - 1);
    for (std::size_t row = 0; row < rows; ++row) {
      const __m512d left = _mm512_maskz_cvtps_pd(all, _mm256_maskz_loadu_ps(rest, a + row * length + whole));
      for (std::size_t column = 0; column < columns; ++column) {
        const __m512d right = _mm512_maskz_loadu_pd(rest, b + column * length + whole);
        const __m512d sum = _mm512_mask3_fmadd_pd(left, right, sums[row][column], rest);
        const __m256d four =
            _mm256_add_pd(_mm512_maskz_extractf64x4_pd(all, sum, 0), _mm512_maskz_extractf64x4_pd(all, sum, 1));
        results[row * step + column] = added(four);
      }
    }
  }
};

/// The sums for all rows of a and `columns` rows of b: `at_once` rows of a at a time, then the remaining ones one by
/// one.
template <class Vectors, std::size_t at_once, std::size_t columns>
void multiply_columns(const float* a, std::size_t rows, const double* b, std::size_t length, double* results,
                      std::size_t step) {
  const auto multiply = [&]<std::size_t count>(std::size_t row) {
    const float* first = a + row * length;
    const float* next = row + 2 * count <= rows ? first + count * length : first;
    Vectors::template multiply_block<count, columns>(first, next, b, length, results + row * step, step);
    return row + count;
  };
  std::size_t row = 0;
  while (row + at_once <= rows) row = multiply.template operator()<at_once>(row);
  while (row < rows) row = multiply.template operator()<1>(row);
}

void dots_avx2(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
               double* results) {
  if (rows == 0) return;  // `results` may be null
  std::size_t column = 0;
  for (; column + 2 <= columns; column += 2)
    multiply_columns<Avx2, 3, 2>(a, rows, b + column * length, length, results + column, columns);
  if (column < columns) multiply_columns<Avx2, 4, 1>(a, rows, b + column * length, length, results + column, columns);
}

void dots_avx512(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
                 double* results) {
  if (rows == 0) return;  // `results` may be null
  std::size_t column = 0;
  for (; column + 4 <= columns; column += 4)
    multiply_columns<Avx512, 4, 4>(a, rows, b + column * length, length, results + column, columns);
  for (; column + 2 <= columns; column += 2)
    multiply_columns<Avx512, 4, 2>(a, rows, b + column * length, length, results + column, columns);
  if (column < columns) multiply_columns<Avx512, 8, 1>(a, rows, b + column * length, length, results + column, columns);
}

}  // namespace

std::span<const WideDots> wide_dots() {
  static const std::vector<WideDots> supported = [] {
    std::vector<WideDots> all;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) all.push_back(dots_avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(dots_avx2);
    return all;
  }();
  return supported;
}

#else

std::span<const WideDots> wide_dots() {
  return {};
}

#endif

}  // namespace ifcert::kernels
