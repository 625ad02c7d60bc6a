// SequenceConstruct, SequenceEmpty, SequenceAt, SequenceLength.
#include <fmt/format.h>

#include "kernels/onnx_operators.hpp"
#include "kernels/operands.hpp"
#include "onnx_element_types.hpp"

namespace ifcert::kernels {
namespace {

const Sequence& sequence_operand(const Operands& operands, std::size_t i) {
  const Value& value = operands.input(i);
  if (const Sequence* sequence = value.sequence()) return *sequence;
  refuse(operands.node,
         fmt::format("operand {} is {}, a sequence is asked", i, value.empty() ? "left out" : kind_of(type_of(value))));
}

// The type of operand `i`; nullptr where it is not known.
const Type* sequence_type(const OperandTypes& operands, std::size_t i) {
  const Type& type = operands.inputs[i];
  if (!type.known()) return nullptr;
  if (type.kind != Type::Kind::sequence) {
    refuse(operands.node, fmt::format("operand {} is {}, a sequence is asked", i, kind_of(type)));
  }
  return &type;
}

template <class Context>
ElementType empty_type(const Context& operands) {
  const auto* number = operands.template attribute<std::int64_t>("dtype");
  if (number == nullptr) return ElementType::float32;
  const ElementType type = onnx::element_type_of(*number);
  if (type == ElementType::undefined)
    refuse(operands.node, fmt::format("attribute dtype is {}, no element type", *number));
  return type;
}

void expect_position_type(const Node& node, ElementType type) {
  if (type != ElementType::int32 && type != ElementType::int64 && type != ElementType::undefined) {
    refuse(node, fmt::format("operand 1 is tensor({}), tensor(int64) is asked", name_of(type)));
  }
}

}  // namespace

void evaluate_sequence_construct(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, any_number);
  Sequence sequence{Type::tensor(tensor_operand(operands, 0).type), {}};
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    expect_same_type(operands, 0, i);
    sequence.items.push_back(operands.inputs[i]);
  }
  outputs[0] = std::move(sequence);
}

void evaluate_sequence_empty(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 0);
  outputs[0] = Sequence{Type::tensor(empty_type(operands)), {}};
}

void evaluate_sequence_at(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Sequence& sequence = sequence_operand(operands, 0);
  const std::vector<std::int64_t> positions = integer_elements(operands, 1);
  const std::size_t rank = tensor_operand(operands, 1).dims.size();
  if (rank != 0) refuse(operands.node, fmt::format("the position has rank {}, a scalar is asked", rank));
  const auto size = static_cast<std::int64_t>(sequence.items.size());
  const std::int64_t position = positions.front();
  if (position < -size || position >= size) {
    refuse(operands.node, fmt::format("position {} is outside [{}, {}]", position, -size, size - 1));
  }
  outputs[0] = sequence.items[static_cast<std::size_t>(position < 0 ? position + size : position)];
}

void evaluate_sequence_length(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const auto length = static_cast<std::int64_t>(sequence_operand(operands, 0).items.size());
  outputs[0] = make_tensor<std::int64_t>(ElementType::int64, {}, std::span(&length, 1));
}

void infer_sequence_construct(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, any_number);
  const ElementType element = common_element_type(operands, 0, operands.inputs.size() - 1);
  outputs[0] = Type::sequence_of(Type::tensor(element));
}

void infer_sequence_empty(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 0, 0);
  const ElementType element = attributes_known(operands) ? empty_type(operands) : ElementType::undefined;
  outputs[0] = Type::sequence_of(Type::tensor(element));
}

void infer_sequence_at(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_position_type(operands.node, element_type(operands, 1));
  if (const Type* sequence = sequence_type(operands, 0)) outputs[0] = sequence->item.front();
}

void infer_sequence_length(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  sequence_type(operands, 0);
  outputs[0] = Type::tensor(ElementType::int64, Shape{});
}

}  // namespace ifcert::kernels
