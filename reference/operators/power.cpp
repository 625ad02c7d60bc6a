// Pow: the result has the base's type; from version 12 on the exponent may have another numeric type.
#include <cmath>
#include <type_traits>
#include <utility>

#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

// By squaring, modulo 2^64: the low bits are those of the exact power.
std::uint64_t power_of(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t power = 1;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if ((exponent & 1) != 0) power *= base;
  }
  return power;
}

// x to a negative integer power, 1 / x^n truncated towards zero like an integer division.
template <class T>
T inverse_power(const Node& node, T x, bool odd) {
  if (x == 0) refuse(node, "integer 0 raised to a negative power");
  if (x == 1) return 1;
  if (x == T(-1)) return odd ? T(-1) : T(1);
  return 0;
}

// A real result as an integer: truncated towards zero, clamped to the range.
template <class T>
T integer_of(double x) {
  constexpr double end = sizeof(T) == 8 ? 0x1p63 : 0x1p31;
  if (std::isnan(x)) return 0;
  if (x >= end) return std::numeric_limits<T>::max();
  if (x < -end) return std::numeric_limits<T>::min();
  return static_cast<T>(x);
}

// Computes integers and halves as double and float32 as itself, so that a square is rounded once.
template <class T, class E>
T power(const Node& node, T x, E exponent) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<E>) {
    if constexpr (std::is_signed_v<E>) {
      if (exponent < 0) return inverse_power(node, x, (exponent & 1) != 0);
    }
    return static_cast<T>(power_of(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(exponent)));
  } else if constexpr (std::is_integral_v<T>) {
    return integer_of<T>(std::pow(static_cast<double>(x), static_cast<double>(number_of(exponent))));
  } else {
    const auto base = number_of(x);
    const auto real = static_cast<double>(number_of(exponent));
    return real == 2 ? element_of<T>(base * base) : element_of<T>(std::pow(static_cast<double>(base), real));
  }
}

template <class T, class E>
Value powers(const Operands& operands, const Pair& pair) {
  Result result(operands, pair.a.type, broadcast_dims(operands.node, pair.a.dims, pair.b_dims));
  if (result.count() > 0) {
    combine<T, E>(operands.work, pair, result.dims(), result.elements<T>(),
                  [&](T x, E exponent) { return power<T, E>(operands.node, x, exponent); });
  }
  return std::move(result).value();
}

// The types of bases that Pow lists.
template <class Visitor>
bool visit_base(ElementType type, Visitor&& visitor) {
  if (type == ElementType::int32) return visitor.template operator()<std::int32_t>(), true;
  if (type == ElementType::int64) return visitor.template operator()<std::int64_t>(), true;
  return visit_floating(type, visitor);
}

bool is_base(ElementType type) {
  return visit_base(type, []<class T>() {});
}

void evaluate_power(const Operands& operands, std::span<Value> outputs, const Pair& pair) {
  bool exponent_done = false;
  const bool base_done = visit_base(pair.a.type, [&]<class T>() {
    exponent_done = visit_numeric(pair.b.type, [&]<class E>() { outputs[0] = powers<T, E>(operands, pair); });
  });
  if (!base_done) refuse_type(operands.node, pair.a.type);
  if (!exponent_done) refuse_type(operands.node, pair.b.type);
}

void expect_base(const Node& node, ElementType type) {
  if (type != ElementType::undefined && !is_base(type)) refuse_type(node, type);
}

}  // namespace

void evaluate_pow_1(const Operands& operands, std::span<Value> outputs) {
  evaluate_power(operands, outputs, legacy_pair(operands, outputs));
}

void evaluate_pow_7(const Operands& operands, std::span<Value> outputs) {
  evaluate_power(operands, outputs, broadcast_pair(operands, outputs));
}

void evaluate_pow_12(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& exponents = tensor_operand(operands, 1);
  evaluate_power(operands, outputs, {tensor_operand(operands, 0), exponents, exponents.dims});
}

void infer_pow_1(const OperandTypes& operands, std::span<Type> outputs) {
  PairTypes types = legacy_types(operands, outputs);
  expect_base(operands.node, types.element);
  outputs[0] = Type::tensor(types.element, std::move(types.shape));
}

void infer_pow_7(const OperandTypes& operands, std::span<Type> outputs) {
  PairTypes types = broadcast_types(operands, outputs);
  expect_base(operands.node, types.element);
  outputs[0] = Type::tensor(types.element, std::move(types.shape));
}

void infer_pow_12(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  const ElementType base = element_type(operands, 0);
  const ElementType exponent = element_type(operands, 1);
  expect_base(operands.node, base);
  if (exponent != ElementType::undefined && !is_numeric(exponent)) refuse_type(operands.node, exponent);
  outputs[0] = Type::tensor(base, broadcast_shape(operands));
}

}  // namespace ifcert::kernels
