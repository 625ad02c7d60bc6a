// Elementwise operations on one or two operands.
#pragma once

#include <utility>

#include "operators/broadcast.hpp"
#include "operators/numeric.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {

/// Two operands of one element type, and the dims with which the second one broadcasts.
struct Pair {
  const Tensor& a;
  const Tensor& b;
  Dims b_dims;
};

/// The two operands of a node that has one output; refuses other operands.
Pair broadcast_pair(const Operands& operands, std::span<const Value> outputs);

/// The same for operator sets before 7.
Pair legacy_pair(const Operands& operands, std::span<const Value> outputs);

/// Refuses the element type of a pair.
[[noreturn]] void refuse_type(const Node& node, ElementType type);

/// The inferred types of a pair: their common element type, and the shape they broadcast to.
struct PairTypes {
  ElementType element;
  std::optional<Shape> shape;
};

/// The shape that operands 0 and 1 broadcast to, as far as it is known.
std::optional<Shape> broadcast_shape(const OperandTypes& operands);

PairTypes broadcast_types(const OperandTypes& operands, std::span<const Type> outputs);

/// The same for operator sets before 7, in which the shape is that of operand 0.
PairTypes legacy_types(const OperandTypes& operands, std::span<const Type> outputs);

/// A tensor like `tensor`, whose elements have the C++ type T: f of each element by itself.
template <class T, class F>
Value each(const Operands& operands, const Tensor& tensor, F f) {
  Result result(operands, tensor.type, tensor.dims);
  const auto from = tensor.elements<T>();
  const auto to = result.elements<T>();
  in_pieces(operands.work, to.size(), [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t i = first; i < last; ++i) to[i] = f(from[i]);
  });
  return std::move(result).value();
}

/// Sets each element of `to`, which is not empty, to f(x, y) of the elements of the pair that belong together.
template <class A, class B, class R, class F>
void combine(const Work& work, const Pair& pair, const Dims& dims, std::span<R> to, F f) {
  BroadcastIndex i(pair.a.dims, dims);
  BroadcastIndex j(pair.b_dims, dims);
  const auto a = pair.a.elements<A>();
  const auto b = pair.b.elements<B>();
  in_pieces(work, to.size(), [&](std::uint64_t first, std::uint64_t last) {
    if (i.step() == 1 && j.step() == 1) {
      for (std::size_t k = first; k < last; ++k) to[k] = f(a[k], b[k]);
    } else if (i.step() == 1 && j.step() == 0) {
      for (std::size_t k = first; k < last; ++k) to[k] = f(a[k], b[0]);
    } else {
      for (std::size_t k = first; k < last; ++k) to[k] = f(a[i.next()], b[j.next()]);
    }
  });
}

/// A tensor of element type `type`, whose C++ type is R: each element is f(x, y) of the elements that belong together,
/// whose C++ type is T.
template <class T, class R, class F>
Value elementwise(const Operands& operands, ElementType type, const Pair& pair, F f) {
  Result result(operands, type, broadcast_dims(operands.node, pair.a.dims, pair.b_dims));
  if (result.count() > 0) combine<T, T>(operands.work, pair, result.dims(), result.elements<R>(), f);
  return std::move(result).value();
}

}  // namespace ifcert::kernels
