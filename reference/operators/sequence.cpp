// SequenceConstruct, SequenceEmpty, SequenceAt, SequenceInsert, SequenceLength.
#include <fmt/format.h>

#include "model/onnx_element_types.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/operands.hpp"

namespace ifcert::kernels {
namespace {

const Sequence& sequence_operand(const Operands& operands, std::size_t i) {
  const Value& value = operands.input(i);
  if (const Sequence* sequence = value.sequence()) return *sequence;
  refuse(operands.node, fmt::format("operand {} is {}; expected a sequence", i,
                                    value.empty() ? "left out" : kind_text(type_of(value))));
}

// The type of operand `i`; nullptr where it is not known.
const Type* sequence_type(const OperandTypes& operands, std::size_t i) {
  const Type& type = *operands.inputs[i];
  if (!type.known()) return nullptr;
  if (type.kind != Type::Kind::sequence) {
    refuse(operands.node, fmt::format("operand {} is {}; expected a sequence", i, kind_text(type)));
  }
  return &type;
}

template <class Context>
ElementType empty_type(const Context& operands) {
  const auto* number = operands.template attribute<std::int64_t>("dtype");
  if (number == nullptr) return ElementType::float32;
  const ElementType type = onnx::element_type_of(*number);
  if (type == ElementType::undefined)
    refuse(operands.node, fmt::format("attribute dtype is {}, which is not an element type", *number));
  return type;
}

void expect_position_type(const OperandTypes& operands, std::size_t i) {
  const ElementType type = element_type(operands, i);
  if (type != ElementType::int32 && type != ElementType::int64 && type != ElementType::undefined) {
    refuse(operands.node, fmt::format("operand {} is tensor({}); expected tensor(int64)", i, name_of(type)));
  }
  expect_one_element(operands, i, 1);
}

// The position in operand `i`, a scalar; `missing` where it is left out. Yet the operator's own example inserts at a
// position of shape [1] (docs/doubts.md). Sentence: operators-sequenceinsert-position.
std::int64_t position_operand(const Operands& operands, std::size_t i, std::int64_t missing) {
  if (operands.input(i).empty()) return missing;
  const std::vector<std::int64_t> positions = integer_elements(operands, i);
  const std::size_t rank = tensor_operand(operands, i).dims.size();
  if (positions.size() != 1 || rank > 1)
    refuse(operands.node, fmt::format("{} positions of rank {} are given; expected a scalar", positions.size(), rank));
  return positions.front();
}

// Each sequence has its own list of items; the items themselves are shared.
void expect_room_for(const Operands& operands, std::size_t items) {
  operands.work.expect_room(items * sizeof(Value), [&] { return fmt::format("a sequence of {} items", items); });
}

}  // namespace

void evaluate_sequence_construct(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, any_number);
  expect_room_for(operands, operands.inputs.size());
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
  const auto size = static_cast<std::int64_t>(sequence.items.size());
  tensor_operand(operands, 1);
  const std::int64_t position = position_operand(operands, 1, 0);
  if (position < -size || position >= size) {
    refuse(operands.node, fmt::format("position {} is outside [{}, {}]", position, -size, size - 1));
  }
  outputs[0] = sequence.items[static_cast<std::size_t>(position < 0 ? position + size : position)];
}

void evaluate_sequence_insert(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 3);
  const Sequence& before = sequence_operand(operands, 0);
  expect_room_for(operands, before.items.size() + 1);
  Sequence sequence = before;
  const ElementType element = tensor_operand(operands, 1).type;
  if (element != sequence.item.element) {
    refuse(operands.node, fmt::format("a tensor({}) cannot be inserted into a sequence of {}", name_of(element),
                                      kind_text(sequence.item)));
  }
  const auto size = static_cast<std::int64_t>(sequence.items.size());
  const std::int64_t position = position_operand(operands, 2, size);
  if (position < -size || position > size) {
    refuse(operands.node, fmt::format("position {} is outside [{}, {}]", position, -size, size));
  }
  sequence.items.insert(sequence.items.begin() + (position < 0 ? position + size : position), operands.inputs[1]);
  outputs[0] = std::move(sequence);
}

void evaluate_sequence_length(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const auto length = static_cast<std::int64_t>(sequence_operand(operands, 0).items.size());
  outputs[0] = make_tensor<std::int64_t>(ElementType::int64, {}, std::span(&length, 1));
}

void infer_sequence_construct(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, any_number);
  expect_none_left_out(operands);
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
  expect_position_type(operands, 1);
  if (const Type* sequence = sequence_type(operands, 0)) outputs[0] = sequence->item.front();
}

void infer_sequence_insert(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 3);
  const ElementType element = element_type(operands, 1);
  if (!is_left_out(operands, 2)) expect_position_type(operands, 2);
  outputs[0] = Type::sequence_of(Type::tensor(element));
  const Type* sequence = sequence_type(operands, 0);
  if (sequence == nullptr) return;
  const ElementType held = sequence->item.front().element;
  if (element != held && element != ElementType::undefined && held != ElementType::undefined) {
    refuse(operands.node, fmt::format("a tensor({}) cannot be inserted into a sequence of tensor({})", name_of(element),
                                      name_of(held)));
  }
  if (element == ElementType::undefined) outputs[0] = Type::sequence_of(Type::tensor(held));
}

void infer_sequence_length(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  sequence_type(operands, 0);
  outputs[0] = Type::tensor(ElementType::int64, Shape{});
}

}  // namespace ifcert::kernels
