#include "operators/tflite_operands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ifcert::kernels::tflite {
namespace {

template <class Context>
ElementType type_of_attribute(const Context& operands, std::string_view name) {
  const auto* text = operands.template attribute<std::string>(name);
  if (text == nullptr) refuse(operands.node, fmt::format("attribute {} is missing", name));
  const ElementType type = element_type_named(*text);
  if (type == ElementType::undefined)
    refuse(operands.node,
           fmt::format("attribute {} is \"{}\", which is not an element type of the reference", name, *text));
  return type;
}

bool is_among(ElementType type, std::span<const ElementType> types) {
  return std::ranges::find(types, type) != types.end();
}

[[noreturn]] void refuse_type_of(const Node& node, std::size_t i, ElementType type,
                                 std::span<const ElementType> types) {
  std::string expected;
  for (const ElementType one : types) expected += fmt::format("{}{}", expected.empty() ? "" : ", ", name_of(one));
  refuse(node, fmt::format("operand {} is tensor({}); expected {}", i, name_of(type), expected));
}

}  // namespace

std::int64_t number(const Operands& operands, std::string_view name, std::int64_t otherwise) {
  const auto* value = operands.attribute<std::int64_t>(name);
  return value == nullptr ? otherwise : *value;
}

ElementType type_attribute(const Operands& operands, std::string_view name) {
  return type_of_attribute(operands, name);
}

ElementType type_attribute(const OperandTypes& operands, std::string_view name) {
  return type_of_attribute(operands, name);
}

void expect_type_among(const OperandTypes& operands, std::size_t i, std::span<const ElementType> types) {
  const ElementType type = element_type(operands, i);
  if (type != ElementType::undefined && !is_among(type, types)) refuse_type_of(operands.node, i, type, types);
}

Integers integers_among(const Operands& operands, std::size_t i, std::span<const ElementType> types) {
  const ElementType type = tensor_operand(operands, i).type;
  if (!is_among(type, types)) refuse_type_of(operands.node, i, type, types);
  return all_integers(operands, i);
}

Integers list_among(const Operands& operands, std::size_t i, std::span<const ElementType> types) {
  const Tensor& tensor = tensor_operand(operands, i);
  if (!is_among(tensor.type, types)) refuse_type_of(operands.node, i, tensor.type, types);
  const std::size_t rank = tensor.dims.size();
  if (rank != 1) refuse(operands.node, fmt::format("operand {} has rank {}; expected a list (rank 1)", i, rank));
  expect_list_length(operands.node, i, tensor);
  return all_integers(operands, i);
}

Integers axes_among(const Operands& operands, std::size_t i, std::span<const ElementType> types) {
  return tensor_operand(operands, i).dims.empty() ? integers_among(operands, i, types) : list_among(operands, i, types);
}

}  // namespace ifcert::kernels::tflite
