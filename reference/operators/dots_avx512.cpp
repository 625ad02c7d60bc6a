// Compiled for AVX-512 (reference/CMakeLists.txt).
#ifdef __AVX512F__
#include "operators/dots_in_vectors.hpp"
#include "operators/wide_dots.hpp"

namespace ifcert::kernels {

void dots_avx512(const float* a, std::size_t rows, const double* b, std::size_t columns, std::size_t length,
                 double* results) {
  if (rows == 0) return;  // `results` may be null
  std::size_t column = 0;
  for (; column + 4 <= columns; column += 4)
    multiply_columns<8, 4, 4>(a, rows, b + column * length, length, results + column, columns);
  for (; column + 2 <= columns; column += 2)
    multiply_columns<8, 4, 2>(a, rows, b + column * length, length, results + column, columns);
  if (column < columns) multiply_columns<8, 8, 1>(a, rows, b + column * length, length, results + column, columns);
}

}  // namespace ifcert::kernels
#endif
