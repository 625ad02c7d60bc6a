// Each kernel calls ONNX's with the attributes and operands that ONNX defines.
#include "operators/openvino_operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "operators/numeric.hpp"
#include "operators/openvino_operands.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels::openvino {
namespace {

/// Operand `i` with its last two axes exchanged; a tensor of rank 0 or 1 is unchanged.
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

/// An empty list of axes reduces nothing. Which types are numeric no page says; strings are none.
/// Sentence: operations-reducesum-types.
void reduce(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const ElementType type = tensor_operand(operands, 0).type;
  const bool maximum_of_booleans = type == ElementType::boolean && kernel == evaluate_reduce_max_18;
  if (type != ElementType::string && !is_numeric(type) && !maximum_of_booleans)
    refuse_missing(operands.node, fmt::format("the reference does not support elements of {}", name_of(type)));
  const std::int64_t keep = flag(operands, "keep_dims", false) ? 1 : 0;
  call(kernel, operands, outputs, {operands.input(0), list_of(integers(operands, 1))},
       {{"keepdims", keep}, {"noop_with_empty_axes", std::int64_t{1}}});
}

}  // namespace

void evaluate_concat(const Operands& operands, std::span<Value> outputs) {
  const std::vector<Value> inputs(operands.inputs.begin(), operands.inputs.end());
  call(evaluate_concat_4, operands, outputs, inputs, {{"axis", integer(operands, "axis", "")}});
}

/// "special_zero" (Reshape-1): with it a zero copies the dim of the input, without it a zero is a dim of size 0.
void evaluate_reshape(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const std::int64_t allow_zero = flag(operands, "special_zero", false) ? 0 : 1;
  call(evaluate_reshape_5, operands, outputs, {operands.input(0), list_of(integers(operands, 1))},
       {{"allowzero", allow_zero}});
}

/// Sentence: operations-squeeze-other-dims.
void evaluate_squeeze(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 2);
  const Integers given = operands.inputs.size() == 2 ? integers(operands, 1) : Integers{};
  if (given.empty()) return call(evaluate_squeeze_13, operands, outputs, {operands.input(0)}, {});
  const Dims& dims = tensor_operand(operands, 0).dims;
  Integers axes;
  for (const std::int64_t axis : given) {
    if (dims[axis_from_front(operands.node, axis, dims.size())] == 1) axes.push_back(axis);
  }
  call(evaluate_squeeze_13, operands, outputs, {operands.input(0), list_of(axes)}, {});
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
    refuse(operands.node, fmt::format("num_splits is not {}, the number of outputs", outputs.size()));
  call(evaluate_split_1, operands, outputs, {operands.input(0)}, {{"axis", one_integer(operands, 1)}});
}

/// "numpy": the result has target_shape; "bidirectional": both broadcast to a common shape.
void evaluate_broadcast(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 3);
  const std::string_view mode = text(operands, "mode", "numpy");
  if (mode != "numpy" && mode != "bidirectional")
    refuse_missing(operands.node, fmt::format("the reference does not support mode \"{}\"", mode));
  if (operands.inputs.size() == 3) refuse_missing(operands.node, "the reference does not support axes_mapping");
  const Integers target = integers(operands, 1);
  call(evaluate_expand, operands, outputs, {operands.input(0), list_of(target)}, {});
  if (mode == "numpy" && !std::ranges::equal(outputs[0].tensor()->dims, target))
    refuse(operands.node, "the operand does not broadcast to target_shape");
}

/// The shorter of shape and repeats is filled with ones at the front. The rank of repeats may be any: its elements are
/// counted. Sentence: operations-tile-repeats.
void evaluate_tile(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const Tensor& tensor = tensor_operand(operands, 0);
  expect_list_length(operands.node, 1, tensor_operand(operands, 1));
  Integers repeats = all_integers(operands, 1);
  const std::size_t rank = std::max(repeats.size(), tensor.dims.size());
  repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  Dims dims = tensor.dims;
  dims.insert(dims.begin(), rank - dims.size(), 1);
  call(kernels::evaluate_tile, operands, outputs, {with_dims(operands, tensor, dims), list_of(repeats)}, {});
}

void evaluate_shape_of(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 1);
  expect_operands(operands, outputs, 1);
  Value shape;
  call(evaluate_shape, operands, std::span(&shape, 1), {operands.input(0)}, {});
  outputs[0] = converted(operands, shape, type_attribute(operands, "output_type", "i64"));
}

void evaluate_convert(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 1);
  expect_operands(operands, outputs, 1);
  outputs[0] = converted(operands, operands.input(0), type_attribute(operands, "destination_type", ""));
}

void evaluate_reduce_sum(const Operands& operands, std::span<Value> outputs) {
  reduce(evaluate_reduce_sum_13, operands, outputs);
}
void evaluate_reduce_mean(const Operands& operands, std::span<Value> outputs) {
  reduce(evaluate_reduce_mean_18, operands, outputs);
}
void evaluate_reduce_max(const Operands& operands, std::span<Value> outputs) {
  reduce(evaluate_reduce_max_18, operands, outputs);
}
void evaluate_reduce_prod(const Operands& operands, std::span<Value> outputs) {
  reduce(evaluate_reduce_prod_18, operands, outputs);
}

/// Operand 3 is the step, operand 4 the axes: in ONNX the other way round.
void evaluate_slice(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 4, 5);
  const auto list = [&](std::size_t i) { return list_of(integers(operands, i)); };
  call(evaluate_slice_10, operands, outputs,
       {operands.input(0), list(1), list(2), operands.inputs.size() == 5 ? list(4) : Value{}, list(3)}, {});
}

/// Range-4 accumulates in int64 for integers, else in float64. In Range-1 start, stop, step and the result have one
/// type T. Sentence: operations-range-accumulation.
void evaluate_range(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 3, 3);
  expect_operands(operands, outputs, 3);
  const ElementType own = tensor_operand(operands, 0).type;
  const ElementType type = operands.node.version < 4 ? own : type_attribute(operands, "output_type", "");
  const ElementType accumulated = is_floating(type) ? ElementType::float64 : ElementType::int64;
  std::vector<Value> inputs;
  for (const Value& input : operands.inputs) inputs.push_back(converted(operands, input, accumulated));
  Value range;
  call(evaluate_range_11, operands, std::span(&range, 1), inputs, {});
  outputs[0] = converted(operands, range, type);
}

void evaluate_matmul(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  expect_computed(kernels::infer_matmul, operands, Elements::numbers);
  const Value a = flag(operands, "transpose_a", false) ? last_two_exchanged(operands, 0) : operands.input(0);
  const Value b = flag(operands, "transpose_b", false) ? last_two_exchanged(operands, 1) : operands.input(1);
  call(kernels::evaluate_matmul, operands, outputs, {a, b}, {});
}

void infer_range(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  const ElementType own = element_type(operands, 0);
  for (std::size_t i = 0; i < 3; ++i) expect_one_element(operands, i, any_number);
  outputs[0] = Type::tensor(operands.node.version < 4 ? own : type_attribute(operands, "output_type", ""), Shape(1));
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
