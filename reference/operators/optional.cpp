// Optional, OptionalHasElement, OptionalGetElement.
#include <fmt/format.h>

#include "operators/onnx_operators.hpp"
#include "operators/operands.hpp"

namespace ifcert::kernels {
namespace {

// The type of a value without its shapes, as the item of an optional.
Type item_type(const Type& type) {
  if (type.is_tensor()) return Type::tensor(type.element);
  if (type.kind == Type::Kind::sequence) return Type::sequence_of(item_type(type.item.front()));
  return type;
}

void expect_item(const Node& node, const Type& type) {
  if (!type.known() || type.is_tensor() || type.kind == Type::Kind::sequence) return;
  refuse(node, fmt::format("an optional cannot hold {}; expected a tensor or a sequence", kind_text(type)));
}

const Optional& optional_operand(const Operands& operands) {
  const Value& value = operands.input(0);
  if (const Optional* optional = value.optional()) return *optional;
  refuse(operands.node,
         fmt::format("operand 0 is {}; expected an optional", value.empty() ? "left out" : kind_text(type_of(value))));
}

Value boolean_scalar(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&byte, 1));
}

Value element_in(const Operands& operands, const Optional& optional) {
  if (optional.value.empty()) refuse(operands.node, fmt::format("the optional({}) is empty", kind_text(optional.item)));
  return optional.value;
}

void infer_has_element(std::span<Type> outputs) {
  outputs[0] = Type::tensor(ElementType::boolean, Shape{});
}

void expect_optional_type(const OperandTypes& operands) {
  const Type& type = *operands.inputs[0];
  if (type.known() && type.kind != Type::Kind::optional) {
    refuse(operands.node, fmt::format("operand 0 is {}; expected an optional", kind_text(type)));
  }
}

}  // namespace

void evaluate_optional(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Value& value = operands.input(0);
  const Type* declared = operands.attribute<Type>("type");
  if (declared == nullptr && value.empty()) refuse(operands.node, "neither an operand nor attribute type is given");
  Type item = item_type(value.empty() ? *declared : type_of(value));
  expect_item(operands.node, item);
  if (declared != nullptr && kind_text(*declared) != kind_text(item)) {
    refuse(operands.node,
           fmt::format("operand 0 is {}, but attribute type is {}", kind_text(item), kind_text(*declared)));
  }
  outputs[0] = Optional{std::move(item), value};
}

void evaluate_optional_has_element_15(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  outputs[0] = boolean_scalar(!optional_operand(operands).value.empty());
}

void evaluate_optional_has_element_18(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Value& value = operands.input(0);
  const Optional* optional = value.optional();
  outputs[0] = boolean_scalar(optional == nullptr ? !value.empty() : !optional->value.empty());
}

void evaluate_optional_get_element_15(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  outputs[0] = element_in(operands, optional_operand(operands));
}

void evaluate_optional_get_element_18(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Value& value = operands.input(0);
  const bool is_element = value.tensor() != nullptr || value.sequence() != nullptr;
  outputs[0] = is_element ? value : element_in(operands, optional_operand(operands));
}

void infer_optional(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 0, 1);
  Type item;
  if (!is_left_out(operands, 0)) item = *operands.inputs[0];
  expect_item(operands.node, item);
  if (attributes_known(operands)) {
    const Type* declared = operands.attribute<Type>("type");
    if (declared == nullptr && is_left_out(operands, 0)) {
      refuse(operands.node, "neither an operand nor attribute type is given");
    }
    if (declared != nullptr && !item.known()) item = *declared;
    if (declared != nullptr && item.is_tensor() && item.element != ElementType::undefined &&
        kind_text(*declared) != kind_text(item)) {
      refuse(operands.node,
             fmt::format("operand 0 is {}, but attribute type is {}", kind_text(item), kind_text(*declared)));
    }
  }
  outputs[0] = Type::optional_of(item_type(item));
}

void infer_optional_has_element_15(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  expect_optional_type(operands);
  infer_has_element(outputs);
}

void infer_optional_has_element_18(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 0, 1);
  infer_has_element(outputs);
}

void infer_optional_get_element_15(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  expect_optional_type(operands);
  if (operands.inputs[0]->known()) outputs[0] = operands.inputs[0]->item.front();
}

void infer_optional_get_element_18(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const Type& type = *operands.inputs[0];
  outputs[0] = type.kind == Type::Kind::optional ? type.item.front() : type;
}

}  // namespace ifcert::kernels
