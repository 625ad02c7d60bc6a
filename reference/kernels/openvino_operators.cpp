// Each kernel calls that of ONNX with the attributes and operands that it asks for.
#include "kernels/openvino_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ifcert/elements.hpp>
#include <memory>
#include <type_traits>

#include "formats/openvino/types.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/operands.hpp"

namespace ifcert::kernels::openvino {
namespace {

using Integers = std::vector<std::int64_t>;

template <class Context>
std::string_view text(const Context& operands, std::string_view name, std::string_view otherwise) {
  const auto* value = operands.template attribute<std::string>(name);
  return value == nullptr ? otherwise : std::string_view(*value);
}

template <class Context>
bool flag(const Context& operands, std::string_view name, bool otherwise) {
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

Value list_of(const Integers& numbers) {
  return make_tensor<std::int64_t>(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

/// The elements of operand `i`, an integer tensor with at most one dim.
Integers integers(const Operands& operands, std::size_t i) {
  const Tensor& tensor = tensor_operand(operands, i);
  if (tensor.dims.size() > 1) refuse(operands.node, fmt::format("operand {} is no scalar and no list", i));
  Integers numbers;
  for (std::uint64_t at = 0; at < tensor.count(); ++at) {
    const Number number = tensor.type == ElementType::string ? Number(0.0) : read_number(tensor, at);
    if (std::holds_alternative<double>(number)) refuse(operands.node, fmt::format("operand {} holds no integers", i));
    const auto* natural = std::get_if<std::uint64_t>(&number);
    numbers.push_back(natural == nullptr ? std::get<std::int64_t>(number) : static_cast<std::int64_t>(*natural));
  }
  return numbers;
}

std::int64_t one_integer(const Operands& operands, std::size_t i) {
  const Integers numbers = integers(operands, i);
  if (numbers.size() != 1)
    refuse(operands.node, fmt::format("operand {} holds {} numbers, one is asked", i, numbers.size()));
  return numbers.front();
}

void expect_count(const Operands& operands, std::size_t least, std::size_t most) {
  const std::size_t count = operands.inputs.size();
  if (count < least || count > most)
    refuse(operands.node, fmt::format("{} operands given, {} to {} asked", count, least, most));
}

/// Calls ONNX's kernel with these operands and attributes.
void call(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs, const std::vector<Value>& inputs,
          Attributes attributes) {
  Node node;
  node.op = operands.node.op;
  node.inputs.assign(inputs.size(), 0);
  node.attributes = std::move(attributes);
  kernel({node, inputs}, outputs);
}

/// "none: no auto-broadcasting is allowed, all input shapes must match" (OpenVINO operators, auto_broadcast)
void pairwise(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs) {
  const std::string_view rule = text(operands, "auto_broadcast", "numpy");
  const bool same = tensor_operand(operands, 0).dims == tensor_operand(operands, 1).dims;
  if (rule != "numpy" && rule != "none")
    refuse(operands.node, fmt::format("the reference has no auto_broadcast \"{}\"", rule));
  if (rule == "none" && !same) refuse(operands.node, "the shapes differ and auto_broadcast is none");
  call(kernel, operands, outputs, {operands.input(0), operands.input(1)}, {});
}

/// The axes in the order in which their dims are counted, the last two exchanged; a list stays what it is.
Value last_two_exchanged(const Operands& operands, std::size_t i) {
  const std::size_t rank = tensor_operand(operands, i).dims.size();
  if (rank < 2) return operands.input(i);
  Integers order;
  for (std::size_t at = 0; at < rank; ++at) order.push_back(static_cast<std::int64_t>(at));
  std::swap(order[rank - 1], order[rank - 2]);
  Value exchanged;
  call(kernels::evaluate_transpose, operands, std::span(&exchanged, 1), {operands.input(i)}, {{"perm", order}});
  return exchanged;
}

template <class Context>
ElementType type_attribute(const Context& operands, std::string_view name, std::string_view otherwise) {
  const std::string_view value = text(operands, name, otherwise);
  const auto type = ifcert::openvino::element_type_of(value);
  if (!type || *type == ElementType::undefined)
    refuse(operands.node, fmt::format("attribute {} is \"{}\", no element type that the reference has", name, value));
  return *type;
}

/// The tensor's elements as those of another type.
void convert(const Operands& operands, const Value& value, ElementType type, std::span<Value> outputs) {
  const Value like = Tensor{type, {0}, {}, {}};
  call(evaluate_cast_like_24, operands, outputs, {value, like}, {});
}

}  // namespace

void evaluate_add(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_add_7, operands, outputs);
}
void evaluate_subtract(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_sub_7, operands, outputs);
}
void evaluate_multiply(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_mul_7, operands, outputs);
}
void evaluate_equal(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_equal_7, operands, outputs);
}
void evaluate_less(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_less_7, operands, outputs);
}
void evaluate_greater(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_greater_7, operands, outputs);
}
void evaluate_logical_and(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_and_7, operands, outputs);
}
void evaluate_logical_or(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_or_7, operands, outputs);
}
void evaluate_logical_xor(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_xor_7, operands, outputs);
}

/// What signed integers give, m_pythondiv says: rounded down (true, as where it is not said), or towards zero.
void evaluate_divide(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_div_7, operands, outputs);
  if (!flag(operands, "m_pythondiv", true)) return;
  const Pair pair = broadcast_pair(operands, outputs);
  visit_numeric(pair.a.type, [&]<class T>() {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      outputs[0] = elementwise<T, T>(operands.node, pair.a.type, pair, [](T x, T y) {
        if (y == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(x));
        const bool between = x % y != 0 && (x < 0) != (y < 0);
        return static_cast<T>(x / y - (between ? 1 : 0));
      });
    }
  });
}

void evaluate_concat(const Operands& operands, std::span<Value> outputs) {
  const std::vector<Value> inputs(operands.inputs.begin(), operands.inputs.end());
  call(evaluate_concat_4, operands, outputs, inputs, {{"axis", integer(operands, "axis", "")}});
}

void evaluate_gather(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 3, 3);
  if (integer(operands, "batch_dims", "0") != 0) refuse(operands.node, "the reference has no batch_dims but 0");
  call(kernels::evaluate_gather, operands, outputs, {operands.input(0), operands.input(1)},
       {{"axis", one_integer(operands, 2)}});
}

/// "special_zero" (Reshape-1): a zero copies the dim of the input, else it is a dim of zero.
void evaluate_reshape(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const std::int64_t allow_zero = flag(operands, "special_zero", false) ? 0 : 1;
  call(evaluate_reshape_5, operands, outputs, {operands.input(0), list_of(integers(operands, 1))},
       {{"allowzero", allow_zero}});
}

void evaluate_squeeze(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 2);
  const Integers axes = operands.inputs.size() == 2 ? integers(operands, 1) : Integers{};
  call(evaluate_squeeze_13, operands, outputs, {operands.input(0), axes.empty() ? Value{} : list_of(axes)}, {});
}

void evaluate_unsqueeze(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  call(evaluate_unsqueeze_13, operands, outputs, {operands.input(0), list_of(integers(operands, 1))}, {});
}

/// An empty order reverses the axes.
void evaluate_transpose(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const Integers order = integers(operands, 1);
  call(kernels::evaluate_transpose, operands, outputs, {operands.input(0)},
       order.empty() ? Attributes{} : Attributes{{"perm", order}});
}

void evaluate_split(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  if (integer(operands, "num_splits", "") != static_cast<std::int64_t>(outputs.size()))
    refuse(operands.node, fmt::format("num_splits is not the number of outputs, {}", outputs.size()));
  call(evaluate_split_1, operands, outputs, {operands.input(0)}, {{"axis", one_integer(operands, 1)}});
}

/// "numpy": the result has target_shape; "bidirectional": both broadcast to a common shape.
void evaluate_broadcast(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const std::string_view mode = text(operands, "mode", "numpy");
  if (mode != "numpy" && mode != "bidirectional")
    refuse(operands.node, fmt::format("the reference has no mode \"{}\"", mode));
  const Integers target = integers(operands, 1);
  call(evaluate_expand, operands, outputs, {operands.input(0), list_of(target)}, {});
  if (mode == "numpy" && !std::ranges::equal(outputs[0].tensor()->dims, target))
    refuse(operands.node, "the operand does not broadcast to target_shape");
}

/// The shorter of shape and repeats is filled with ones at the front.
void evaluate_tile(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  Integers repeats = integers(operands, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const std::size_t rank = std::max(repeats.size(), tensor.dims.size());
  repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  Dims dims = tensor.dims;
  dims.insert(dims.begin(), rank - dims.size(), 1);
  call(kernels::evaluate_tile, operands, outputs, {with_dims(tensor, dims), list_of(repeats)}, {});
}

void evaluate_shape_of(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 1);
  Value shape;
  call(evaluate_shape, operands, std::span(&shape, 1), {operands.input(0)}, {});
  convert(operands, shape, type_attribute(operands, "output_type", "i64"), outputs);
}

void evaluate_convert(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 1);
  convert(operands, operands.input(0), type_attribute(operands, "destination_type", ""), outputs);
}

/// No axes reduce nothing.
void evaluate_reduce_sum(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const std::int64_t keep = flag(operands, "keep_dims", false) ? 1 : 0;
  call(evaluate_reduce_sum_13, operands, outputs, {operands.input(0), list_of(integers(operands, 1))},
       {{"keepdims", keep}, {"noop_with_empty_axes", std::int64_t{1}}});
}

void evaluate_matmul(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const Value a = flag(operands, "transpose_a", false) ? last_two_exchanged(operands, 0) : operands.input(0);
  const Value b = flag(operands, "transpose_b", false) ? last_two_exchanged(operands, 1) : operands.input(1);
  call(kernels::evaluate_matmul, operands, outputs, {a, b}, {});
}

void infer_element(const OperandTypes& operands, std::span<Type> outputs) {
  for (Type& output : outputs) output = Type::tensor(element_type(operands, 0));
}

void infer_matmul(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  outputs[0] = Type::tensor(common_element_type(operands, 0, 1));
}

void infer_shape_of(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const std::optional<Dims> dims = dims_of(operands, 0);
  const std::int64_t rank = dims ? static_cast<std::int64_t>(dims->size()) : -1;
  outputs[0] = Type::tensor(type_attribute(operands, "output_type", "i64"), Shape{{rank, {}}});
}

void infer_convert(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  outputs[0] = Type::tensor(type_attribute(operands, "destination_type", ""), tensor_type(operands, 0).shape);
}

}  // namespace ifcert::kernels::openvino
