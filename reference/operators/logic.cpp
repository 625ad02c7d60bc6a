// And, Or, Xor, Not.
#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::kernels {
namespace {

template <class F>
Value logic(const Operands& operands, const Pair& pair, F f) {
  if (pair.a.type != ElementType::boolean) refuse_type(operands.node, pair.a.type);
  return elementwise<std::uint8_t, std::uint8_t>(operands, ElementType::boolean, pair, f);
}

std::uint8_t both(std::uint8_t x, std::uint8_t y) {
  return x != 0 && y != 0 ? 1 : 0;
}
std::uint8_t either(std::uint8_t x, std::uint8_t y) {
  return x != 0 || y != 0 ? 1 : 0;
}
std::uint8_t different(std::uint8_t x, std::uint8_t y) {
  return (x != 0) != (y != 0) ? 1 : 0;
}

void infer_logic(const Node& node, const PairTypes& types, std::span<Type> outputs) {
  if (types.element != ElementType::undefined && types.element != ElementType::boolean)
    refuse_type(node, types.element);
  outputs[0] = Type::tensor(ElementType::boolean, types.shape);
}

}  // namespace

void evaluate_and_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = logic(operands, legacy_pair(operands, outputs), both);
}

void evaluate_or_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = logic(operands, legacy_pair(operands, outputs), either);
}

void evaluate_xor_1(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = logic(operands, legacy_pair(operands, outputs), different);
}

void evaluate_and_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = logic(operands, broadcast_pair(operands, outputs), both);
}

void evaluate_or_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = logic(operands, broadcast_pair(operands, outputs), either);
}

void evaluate_xor_7(const Operands& operands, std::span<Value> outputs) {
  outputs[0] = logic(operands, broadcast_pair(operands, outputs), different);
}

void evaluate_not(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0, ElementType::boolean);
  outputs[0] = each<std::uint8_t>(operands, tensor, [](std::uint8_t x) -> std::uint8_t { return x == 0 ? 1 : 0; });
}

void infer_logic_1(const OperandTypes& operands, std::span<Type> outputs) {
  infer_logic(operands.node, legacy_types(operands, outputs), outputs);
}

void infer_logic_7(const OperandTypes& operands, std::span<Type> outputs) {
  infer_logic(operands.node, broadcast_types(operands, outputs), outputs);
}

void infer_not(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  expect_type(operands, 0, ElementType::boolean);
  outputs[0] = Type::tensor(ElementType::boolean, tensor_type(operands, 0).shape);
}

}  // namespace ifcert::kernels
