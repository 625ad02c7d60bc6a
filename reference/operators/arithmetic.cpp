// Add, Sub, Mul, Div, Neg, Abs, Sign. Integers wrap as two's complement; floating point is IEEE 754, with one
// rounding for each operation.
#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <utility>

#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

// Unsigned arithmetic is two's complement arithmetic without overflow; the low bits are the result.
template <class T>
std::uint64_t wide(T x) {
  return static_cast<std::uint64_t>(x);
}

struct Addition {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(wide(x) + wide(y));
    return static_cast<T>(x + y);
  }
};

struct Subtraction {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(wide(x) - wide(y));
    return static_cast<T>(x - y);
  }
};

struct Multiplication {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(wide(x) * wide(y));
    return static_cast<T>(x * y);
  }
};

struct Division {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) {
      if (y == 0) throw EvaluationError("Div: integer division by zero");
      if constexpr (std::is_signed_v<T>) {
        if (y == -1) return static_cast<T>(0 - wide(x));
      }
    }
    return static_cast<T>(x / y);
  }
};

template <class Operation>
Value arithmetic(const Operands& operands, const Pair& pair) {
  Value value;
  const bool done = visit_numeric(pair.a.type, [&]<class T>() {
    value = elementwise<T, T>(operands, pair.a.type, pair,
                              [](T x, T y) { return element_of<T>(Operation{}(number_of(x), number_of(y))); });
  });
  if (!done) refuse_type(operands.node, pair.a.type);
  return value;
}

constexpr std::uint16_t half_sign = 0x8000;

struct Negation {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_half<T>) return {static_cast<std::uint16_t>(x.bits ^ half_sign)};
    if constexpr (std::is_integral_v<T>) return static_cast<T>(0 - wide(x));
    if constexpr (std::is_floating_point_v<T>) return -x;
  }
};

struct Magnitude {
  template <class T>
  T operator()(T x) const {
    if constexpr (is_half<T>) return {static_cast<std::uint16_t>(x.bits & (half_sign - 1))};
    if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> && x < 0 ? static_cast<T>(0 - wide(x)) : x;
    if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
  }
};

// 1, -1 or 0; a NaN stays one.
struct Signum {
  template <class T>
  T operator()(T x) const {
    const auto number = number_of(x);
    if (number == 0) return T{};
    if (number > 0) return element_of<T>(decltype(number){1});
    if constexpr (std::is_unsigned_v<T>) return x;
    return number < 0 ? element_of<T>(static_cast<decltype(number)>(-1)) : x;
  }
};

template <class Operation>
void evaluate_each(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const bool done = visit_numeric(tensor.type, [&]<class T>() { outputs[0] = each<T>(operands, tensor, Operation{}); });
  if (!done) refuse_type(operands.node, tensor.type);
}

void expect_numeric(const Node& node, ElementType type) {
  if (type != ElementType::undefined && !is_numeric(type)) refuse_type(node, type);
}

void infer_pair(const Node& node, PairTypes types, std::span<Type> outputs) {
  expect_numeric(node, types.element);
  outputs[0] = Type::tensor(types.element, std::move(types.shape));
}

}  // namespace

void evaluate_add_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Addition>(operands, legacy_pair(operands, outputs));
}

void evaluate_sub_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Subtraction>(operands, legacy_pair(operands, outputs));
}

void evaluate_mul_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Multiplication>(operands, legacy_pair(operands, outputs));
}

void evaluate_div_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Division>(operands, legacy_pair(operands, outputs));
}

void evaluate_add_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Addition>(operands, broadcast_pair(operands, outputs));
}

void evaluate_sub_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Subtraction>(operands, broadcast_pair(operands, outputs));
}

void evaluate_mul_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Multiplication>(operands, broadcast_pair(operands, outputs));
}

void evaluate_div_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = arithmetic<Division>(operands, broadcast_pair(operands, outputs));
}

void evaluate_neg(const Operands& operands, std::span<Value> outputs) {
  const ElementType type = tensor_operand(operands, 0).type;
  if (is_unsigned(type)) refuse_type(operands.node, type);
  evaluate_each<Negation>(operands, outputs);
}

void evaluate_abs(const Operands& operands, std::span<Value> outputs) {
  evaluate_each<Magnitude>(operands, outputs);
}

void evaluate_sign(const Operands& operands, std::span<Value> outputs) {
  evaluate_each<Signum>(operands, outputs);
}

void infer_arithmetic_1(const OperandTypes& operands, std::span<Type> outputs) {
  infer_pair(operands.node, legacy_types(operands, outputs), outputs);
}

void infer_arithmetic_7(const OperandTypes& operands, std::span<Type> outputs) {
  infer_pair(operands.node, broadcast_types(operands, outputs), outputs);
}

void infer_abs(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const Type& type = tensor_type(operands, 0);
  expect_numeric(operands.node, type.element);
  outputs[0] = Type::tensor(type.element, type.shape);
}

void infer_neg(const OperandTypes& operands, std::span<Type> outputs) {
  infer_abs(operands, outputs);
  if (is_unsigned(outputs[0].element)) refuse_type(operands.node, outputs[0].element);
}

}  // namespace ifcert::kernels
