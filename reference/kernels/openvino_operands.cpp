#include "kernels/openvino_operands.hpp"

#include <fmt/format.h>

#include <charconv>
#include <ifcert/elements.hpp>
#include <memory>

#include "formats/openvino/types.hpp"

namespace ifcert::kernels::openvino {
namespace {

template <class Context>
std::string_view text_of(const Context& operands, std::string_view name, std::string_view otherwise) {
  const auto* value = operands.template attribute<std::string>(name);
  return value == nullptr ? otherwise : std::string_view(*value);
}

template <class Context>
ElementType type_of(const Context& operands, std::string_view name, std::string_view otherwise) {
  const std::string_view value = text(operands, name, otherwise);
  const auto type = ifcert::openvino::element_type_of(value);
  if (!type || *type == ElementType::undefined)
    refuse(operands.node, fmt::format("attribute {} is \"{}\", no element type that the reference has", name, value));
  return *type;
}

}  // namespace

std::string_view text(const Operands& operands, std::string_view name, std::string_view otherwise) {
  return text_of(operands, name, otherwise);
}

std::string_view text(const OperandTypes& operands, std::string_view name, std::string_view otherwise) {
  return text_of(operands, name, otherwise);
}

bool flag(const Operands& operands, std::string_view name, bool otherwise) {
  const std::string_view value = text(operands, name, otherwise ? "true" : "false");
  if (value == "true" || value == "1") return true;
  if (value != "false" && value != "0")
    refuse(operands.node, fmt::format("attribute {} is \"{}\", true or false is asked", name, value));
  return false;
}

std::int64_t integer(const Operands& operands, std::string_view name, std::string_view otherwise) {
  const std::string_view value = text(operands, name, otherwise);
  std::int64_t number = 0;
  const char* end = std::to_address(value.end());
  const auto [rest, error] = std::from_chars(std::to_address(value.begin()), end, number);
  if (error != std::errc() || rest != end)
    refuse(operands.node, fmt::format("attribute {} is \"{}\", an integer is asked", name, value));
  return number;
}

ElementType type_attribute(const Operands& operands, std::string_view name, std::string_view otherwise) {
  return type_of(operands, name, otherwise);
}

ElementType type_attribute(const OperandTypes& operands, std::string_view name, std::string_view otherwise) {
  return type_of(operands, name, otherwise);
}

Integers all_integers(const Operands& operands, std::size_t i) {
  const Tensor& tensor = tensor_operand(operands, i);
  Integers numbers;
  for (std::uint64_t at = 0; at < tensor.count(); ++at) {
    const Number number = tensor.type == ElementType::string ? Number(0.0) : read_number(tensor, at);
    if (std::holds_alternative<double>(number)) refuse(operands.node, fmt::format("operand {} holds no integers", i));
    const auto* natural = std::get_if<std::uint64_t>(&number);
    numbers.push_back(natural == nullptr ? std::get<std::int64_t>(number) : static_cast<std::int64_t>(*natural));
  }
  return numbers;
}

Integers integers(const Operands& operands, std::size_t i) {
  if (tensor_operand(operands, i).dims.size() > 1)
    refuse(operands.node, fmt::format("operand {} is no scalar and no list", i));
  return all_integers(operands, i);
}

std::int64_t one_integer(const Operands& operands, std::size_t i) {
  const Integers numbers = integers(operands, i);
  if (numbers.size() != 1)
    refuse(operands.node, fmt::format("operand {} holds {} numbers, one is asked", i, numbers.size()));
  return numbers.front();
}

Value list_of(const Integers& numbers) {
  return make_tensor<std::int64_t>(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

void expect_count(const Operands& operands, std::size_t least, std::size_t most) {
  const std::size_t count = operands.inputs.size();
  if (count < least || count > most)
    refuse(operands.node, fmt::format("{} operands given, {} to {} asked", count, least, most));
}

void call(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs, const std::vector<Value>& inputs,
          Attributes attributes) {
  Node node;
  node.op = operands.node.op;
  node.inputs.assign(inputs.size(), 0);
  node.attributes = std::move(attributes);
  kernel({node, inputs}, outputs);
}

Value converted(const Operands& operands, const Value& value, ElementType type) {
  const Value like = Tensor{type, {0}, {}, {}};
  Value result;
  call(evaluate_cast_like_24, operands, std::span(&result, 1), {value, like}, {});
  return result;
}

}  // namespace ifcert::kernels::openvino
