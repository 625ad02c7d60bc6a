// Sums of products, the core of MatMul, Gemm, Conv and LSTM: coefficient-wise expressions of Eigen over maps of the
// elements. The order of the additions is fixed, so that a result has the same bits on every machine. Eigen's matrix
// products and reductions do not promise that: their order follows the width of vectors and the sizes of caches.
// If the processor has AVX2 or AVX-512, wide_dots() adds up products of float32, in the same order.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "limits/work.hpp"
#include "operators/numeric.hpp"
#include "operators/wide_dots.hpp"

namespace ifcert::kernels {

/// The type in which elements are multiplied: float32 and float64 as themselves, halves as double, integers modulo
/// 2^64, whose low bits are the result.
template <class T>
using Product = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                   std::conditional_t<std::is_same_v<T, float>, float, double>>;

/// The type in which products are added up: double for float32, whose products it holds exactly.
template <class N>
using Sum = std::conditional_t<std::is_same_v<N, float>, double, N>;

/// Numbers that are stored one after the other.
template <class N>
using Row = Eigen::Map<const Eigen::Array<N, 1, Eigen::Dynamic, Eigen::RowMajor>>;

/// The same, to be written.
template <class N>
using WritableRow = Eigen::Map<Eigen::Array<N, 1, Eigen::Dynamic, Eigen::RowMajor>>;

inline Eigen::Index index_of(std::size_t number) {
  return static_cast<Eigen::Index>(number);
}

/// A number in the type of its sum.
template <class N>
struct Widen {
  Sum<N> operator()(N number) const { return number; }
};

template <class Numbers>
auto widened(const Numbers& numbers) {
  return numbers.unaryExpr(Widen<typename Numbers::Scalar>());
}

/// A row that is multiplied by many others, stored in the type of the sums.
template <class N>
class WideRow {
 public:
  WideRow(const Work& work, std::size_t length)
      : numbers_(scratch<Sum<N>>(work, length, [] { return "an operand of a product"; })) {}

  /// `row` has the length of this one.
  void assign(const Row<N>& row) { WritableRow<Sum<N>>(numbers_.data(), row.size()) = widened(row); }

  const Sum<N>* data() const { return numbers_.data(); }

 private:
  std::vector<Sum<N>> numbers_;
};

/// The sum of a[i]·b[i]. Eight sums are computed at once, each of every eighth product; then the last four are added to
/// the first four, then two to two, then one to one.
template <class N>
Sum<N> dot(const Row<N>& a, const Row<Sum<N>>& b) {
  constexpr int lanes = 8;
  Eigen::Array<Sum<N>, 1, lanes, Eigen::RowMajor> sums;
  sums.setZero();
  const Eigen::Index whole = a.size() - a.size() % lanes;
  for (Eigen::Index i = 0; i < whole; i += lanes) {
    sums += widened(a.template segment<lanes>(i)) * b.template segment<lanes>(i);
  }
  for (Eigen::Index i = whole; i < a.size(); ++i) sums[i - whole] += Widen<N>()(a[i]) * b[i];
  sums.template head<4>() += sums.template tail<4>();
  sums.template head<2>() += sums.template segment<2>(2);
  return sums[0] + sums[1];
}

/// results[i·columns + j] is dot() of row i of a and row j of b. Rows are `length` numbers, one row after the other.
/// Each number of b is one of type N, stored in the type of the sums.
template <class N>
void dots(const Work& work, const N* a, std::size_t rows, const Sum<N>* b, std::size_t columns, std::size_t length,
          Sum<N>* results) {
  constexpr std::size_t products_between_ticks = std::size_t{1} << 18;
  const std::size_t piece = std::max<std::size_t>(1, products_between_ticks / (1 + columns * length));
  for (std::size_t first = 0; first < rows; first += piece) {
    const std::size_t last = std::min(rows, first + piece);
    work.tick((last - first) * columns * (1 + length / 2));
    if constexpr (std::is_same_v<N, float>) {
      if (const auto wide = wide_dots(); !wide.empty()) {
        wide.front()(a + first * length, last - first, b, columns, length, results + first * columns);
        continue;
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        results[i * columns + j] = dot<N>({a + i * length, index_of(length)}, {b + j * length, index_of(length)});
      }
    }
  }
}

/// `count` rows of `length` numbers each, one after the other: the elements themselves where they are stored like that,
/// else a copy.
template <class T>
class Rows {
 public:
  using Number = Product<T>;

  /// Number j of row i is elements[i·row_step + j·step].
  Rows(const Work& work, const T* elements, std::size_t count, std::size_t length, std::size_t row_step,
       std::size_t step)
      : length_(length) {
    if constexpr (std::is_same_v<T, Number>) {
      if ((step == 1 || length == 1) && (row_step == length || count == 1)) {
        first_ = elements;
        return;
      }
    }
    copy_ = scratch<Number>(work, count * length, [] { return "the operands of a product"; });
    for (std::size_t i = 0; i < count; ++i) {
      in_pieces(work, length, [&](std::uint64_t first, std::uint64_t last) {
        for (std::size_t j = first; j < last; ++j) {
          copy_[i * length + j] = static_cast<Number>(number_of(elements[i * row_step + j * step]));
        }
      });
    }
    first_ = copy_.data();
  }

  /// All elements, as one row.
  Rows(const Work& work, std::span<const T> elements)
      : Rows(work, elements.data(), 1, elements.size(), elements.size(), 1) {}

  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  std::size_t length() const { return length_; }
  const Number* data() const { return first_; }
  Row<Number> operator[](std::size_t i) const { return {first_ + i * length_, index_of(length_)}; }

 private:
  const Number* first_ = nullptr;
  std::size_t length_;
  std::vector<Number> copy_;
};

}  // namespace ifcert::kernels
