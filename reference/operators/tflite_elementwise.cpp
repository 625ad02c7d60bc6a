// TensorFlow Lite's operators that pair the elements of two tensors, broadcast as numpy broadcasts.
#include "operators/elementwise.hpp"
#include "operators/tflite_operands.hpp"
#include "operators/tflite_operators.hpp"

namespace ifcert::kernels::tflite {
namespace {

void arithmetic(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs) {
  kernel(operands, outputs);
  outputs[0] = activated(operands, outputs[0]);
}

template <class T>
struct LessOrEqual {
  std::uint8_t operator()(T x, T y) const { return number_of(x) <= number_of(y) ? 1 : 0; }
};

template <class T>
struct GreaterOrEqual {
  std::uint8_t operator()(T x, T y) const { return number_of(x) >= number_of(y) ? 1 : 0; }
};

/// The second operand where one of the two is NaN.
template <class T>
struct Greatest {
  T operator()(T x, T y) const { return number_of(x) > number_of(y) ? x : y; }
};

template <class T>
struct Least {
  T operator()(T x, T y) const { return number_of(x) < number_of(y) ? x : y; }
};

template <template <class> class Comparison>
void compare(const Operands& operands, std::span<Value> outputs) {
  const Pair pair = broadcast_pair(operands, outputs);
  const bool done = visit_numeric(pair.a.type, [&]<class T>() {
    outputs[0] = elementwise<T, std::uint8_t>(operands, ElementType::boolean, pair, Comparison<T>{});
  });
  if (!done) refuse_type(operands.node, pair.a.type);
}

template <template <class> class Choice>
void choose(const Operands& operands, std::span<Value> outputs) {
  const Pair pair = broadcast_pair(operands, outputs);
  const bool done = visit_numeric(
      pair.a.type, [&]<class T>() { outputs[0] = elementwise<T, T>(operands, pair.a.type, pair, Choice<T>{}); });
  if (!done) refuse_type(operands.node, pair.a.type);
}

}  // namespace

void evaluate_add(const Operands& operands, std::span<Value> outputs) {
  arithmetic(evaluate_add_7, operands, outputs);
}
void evaluate_sub(const Operands& operands, std::span<Value> outputs) {
  arithmetic(evaluate_sub_7, operands, outputs);
}
void evaluate_mul(const Operands& operands, std::span<Value> outputs) {
  arithmetic(evaluate_mul_7, operands, outputs);
}
void evaluate_div(const Operands& operands, std::span<Value> outputs) {
  arithmetic(evaluate_div_7, operands, outputs);
}

/// True where one of the two is NaN.
void evaluate_not_equal(const Operands& operands, std::span<Value> outputs) {
  evaluate_equal_7(operands, outputs);
  call(evaluate_not, operands, outputs, {outputs[0]}, {});
}

void evaluate_less_equal(const Operands& operands, std::span<Value> outputs) {
  compare<LessOrEqual>(operands, outputs);
}
void evaluate_greater_equal(const Operands& operands, std::span<Value> outputs) {
  compare<GreaterOrEqual>(operands, outputs);
}
void evaluate_maximum(const Operands& operands, std::span<Value> outputs) {
  choose<Greatest>(operands, outputs);
}
void evaluate_minimum(const Operands& operands, std::span<Value> outputs) {
  choose<Least>(operands, outputs);
}

}  // namespace ifcert::kernels::tflite
