#include "operators/foreign_call.hpp"

#include <fmt/format.h>

#include <ifcert/elements.hpp>

namespace ifcert::kernels {

Integers all_integers(const Operands& operands, std::size_t i) {
  const Tensor& tensor = tensor_operand(operands, i);
  const std::uint64_t count = tensor.count();
  auto numbers = scratch<std::int64_t>(operands.work, count, [&] { return fmt::format("operand {}", i); });
  for (std::uint64_t at = 0; at < count; ++at) {
    operands.work.tick(10);
    const Number number = tensor.type == ElementType::string ? Number(0.0) : read_number(tensor, at);
    if (std::holds_alternative<double>(number))
      refuse(operands.node, fmt::format("operand {} does not hold integers", i));
    const auto* natural = std::get_if<std::uint64_t>(&number);
    numbers[at] = natural == nullptr ? std::get<std::int64_t>(number) : static_cast<std::int64_t>(*natural);
  }
  return numbers;
}

Integers integers(const Operands& operands, std::size_t i) {
  const Tensor& tensor = tensor_operand(operands, i);
  if (tensor.dims.size() > 1) refuse(operands.node, fmt::format("operand {} is neither a scalar nor a list", i));
  expect_list_length(operands.node, i, tensor);
  return all_integers(operands, i);
}

std::int64_t one_integer(const Operands& operands, std::size_t i) {
  const Tensor& tensor = tensor_operand(operands, i);
  if (tensor.dims.size() <= 1 && tensor.count() != 1)
    refuse(operands.node, fmt::format("operand {} holds {} numbers; expected one", i, tensor.count()));
  return integers(operands, i).front();
}

Value list_of(const Integers& numbers) {
  return make_tensor<std::int64_t>(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

void expect_count(const Operands& operands, std::size_t least, std::size_t most) {
  const std::size_t count = operands.inputs.size();
  if (count < least || count > most)
    refuse(operands.node, fmt::format("{} operands given; expected {} to {}", count, least, most));
}

void call(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs, const std::vector<Value>& inputs,
          Attributes attributes) {
  Node node;
  node.op = operands.node.op;
  node.inputs.assign(inputs.size(), 0);
  node.attributes = std::move(attributes);
  kernel({node, inputs, nullptr, operands.work}, outputs);
}

Value converted(const Operands& operands, const Value& value, ElementType type) {
  const Value like = Tensor{type, {0}, {}, {}};
  Value result;
  call(evaluate_cast_like_24, operands, std::span(&result, 1), {value, like}, {});
  return result;
}

}  // namespace ifcert::kernels
