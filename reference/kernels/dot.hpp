// Sums of products, the inside of MatMul, Gemm, Conv and LSTM. The order of the additions is fixed, so that a result
// does not depend on the machine; it goes in lanes, so that the compiler can compute several at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/numeric.hpp"
#include "meter.hpp"

namespace ifcert::kernels {

/// What products of elements are added up as: float32 and float64 as themselves, halves as double, integers modulo
/// 2^64, whose low bits are the result.
template <class T>
using Product = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                   std::conditional_t<std::is_same_v<T, float>, float, double>>;

/// What they are added up in: float32 as double, in which each product is exact.
template <class N>
using Sum = std::conditional_t<std::is_same_v<N, float>, double, N>;

/// Σ a[i]·b[i].
template <class N>
Sum<N> dot(const N* a, const N* b, std::size_t count) {
  using S = Sum<N>;
  constexpr std::size_t lanes = 8;
  std::array<S, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += S{a[i + lane]} * S{b[i + lane]};
  }
  for (std::size_t lane = 0; i < count; ++i, ++lane) sums[lane] += S{a[i]} * S{b[i]};
  for (std::size_t half = lanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  return sums[0];
}

/// `count` rows of `length` numbers each, one behind the other: the elements themselves where they are such rows
/// already, else a copy.
template <class T>
class Rows {
 public:
  using Number = Product<T>;

  /// Number j of row i is elements[i·row_step + j·step].
  Rows(Meter* meter, const T* elements, std::size_t count, std::size_t length, std::size_t row_step, std::size_t step)
      : length_(length) {
    if constexpr (std::is_same_v<T, Number>) {
      if ((step == 1 || length == 1) && (row_step == length || count == 1)) {
        first_ = elements;
        return;
      }
    }
    if (meter != nullptr) meter->expect_room(count * length * sizeof(Number), [] { return "what is multiplied"; });
    copy_.resize(count * length);
    for (std::size_t i = 0; i < count; ++i) {
      in_pieces(meter, length, 1, [&](std::uint64_t first, std::uint64_t last) {
        for (std::size_t j = first; j < last; ++j) {
          copy_[i * length + j] = static_cast<Number>(number_of(elements[i * row_step + j * step]));
        }
      });
    }
    first_ = copy_.data();
  }

  /// All elements, as one row.
  Rows(Meter* meter, std::span<const T> elements)
      : Rows(meter, elements.data(), 1, elements.size(), elements.size(), 1) {}

  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  const Number* operator[](std::size_t i) const { return first_ + i * length_; }
  std::size_t length() const { return length_; }

 private:
  const Number* first_ = nullptr;
  std::size_t length_;
  std::vector<Number> copy_;
};

}  // namespace ifcert::kernels
