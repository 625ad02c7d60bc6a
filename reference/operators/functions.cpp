// Sqrt, Exp, Sigmoid, Tanh, Reciprocal, Ceil, Relu: a real function of each element, computed as double and rounded
// once.
#include <cmath>

#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

template <class F>
void evaluate_function(const Operands& operands, std::span<Value> outputs, F f) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const bool done = visit_floating(tensor.type, [&]<class T>() {
    outputs[0] = each<T>(operands, tensor, [&](T x) { return element_of<T>(f(static_cast<double>(number_of(x)))); });
  });
  if (!done) refuse_type(operands.node, tensor.type);
}

// max(0, x); a NaN stays one.
template <class T>
T positive(T x) {
  return number_of(x) < 0 ? T{} : x;
}

void infer_each(const OperandTypes& operands, std::span<Type> outputs, bool (*takes)(ElementType)) {
  expect_operands(operands, outputs, 1, 1);
  const Type& type = tensor_type(operands, 0);
  if (type.element != ElementType::undefined && !takes(type.element)) refuse_type(operands.node, type.element);
  outputs[0] = Type::tensor(type.element, type.shape);
}

bool has_sign(ElementType type) {
  return is_numeric(type) && !is_unsigned(type);
}

}  // namespace

void evaluate_sqrt(const Operands& operands, std::span<Value> outputs) {
  evaluate_function(operands, outputs, [](double x) { return std::sqrt(x); });
}

void evaluate_exp(const Operands& operands, std::span<Value> outputs) {
  evaluate_function(operands, outputs, [](double x) { return std::exp(x); });
}

void evaluate_sigmoid(const Operands& operands, std::span<Value> outputs) {
  evaluate_function(operands, outputs, [](double x) { return 1 / (1 + std::exp(-x)); });
}

void evaluate_tanh(const Operands& operands, std::span<Value> outputs) {
  evaluate_function(operands, outputs, [](double x) { return std::tanh(x); });
}

void evaluate_reciprocal(const Operands& operands, std::span<Value> outputs) {
  evaluate_function(operands, outputs, [](double x) { return 1 / x; });
}

void evaluate_ceil(const Operands& operands, std::span<Value> outputs) {
  evaluate_function(operands, outputs, [](double x) { return std::ceil(x); });
}

void evaluate_relu(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  if (!has_sign(tensor.type)) refuse_type(operands.node, tensor.type);
  visit_numeric(tensor.type,
                [&]<class T>() { outputs[0] = each<T>(operands, tensor, [](T x) { return positive(x); }); });
}

void infer_function(const OperandTypes& operands, std::span<Type> outputs) {
  infer_each(operands, outputs, is_floating);
}

void infer_relu(const OperandTypes& operands, std::span<Type> outputs) {
  infer_each(operands, outputs, has_sign);
}

}  // namespace ifcert::kernels
