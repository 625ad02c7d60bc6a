// The other operators of TensorFlow Lite. Most call the kernel of ONNX.
#include "operators/tflite_operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "operators/batched_gather.hpp"
#include "operators/elementwise.hpp"
#include "operators/stack.hpp"
#include "operators/tflite_operands.hpp"

namespace ifcert::kernels::tflite {
namespace {

/// Numbers of at least a byte, and bool.
bool is_castable(ElementType type) {
  return type == ElementType::undefined || type == ElementType::boolean || is_numeric(type);
}

void expect_castable(const Node& node, ElementType type) {
  if (!is_castable(type)) refuse_type(node, type);
}

/// The element type of the result of SHAPE, "int32" or "int64".
template <class Context>
ElementType out_type(const Context& operands) {
  const ElementType type = type_attribute(operands, "out_type");
  if (type != ElementType::int32 && type != ElementType::int64)
    refuse(operands.node, fmt::format("attribute out_type is {}; expected int32 or int64", name_of(type)));
  return type;
}

/// The end of the range that SLICE takes from one axis.
std::int64_t end_of(const Node& node, std::int64_t dim, std::int64_t begin, std::int64_t size) {
  const bool fits = begin >= 0 && begin <= dim && (size == -1 || (size >= 0 && size <= dim - begin));
  if (!fits) refuse(node, fmt::format("begin {} and size {} are outside a dim of size {}", begin, size, dim));
  return size == -1 ? dim : begin + size;
}

}  // namespace

void evaluate_concatenation(const Operands& operands, std::span<Value> outputs) {
  const std::vector<Value> inputs(operands.inputs.begin(), operands.inputs.end());
  call(evaluate_concat_4, operands, outputs, inputs, {{"axis", number(operands, "axis", 0)}});
  outputs[0] = activated(operands, outputs[0]);
}

void evaluate_pack(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, any_number);
  const std::int64_t count = number(operands, "values_count", 0);
  if (operands.inputs.empty() || count != static_cast<std::int64_t>(operands.inputs.size()))
    refuse(operands.node, fmt::format("values_count is {}, but {} operands are given", count, operands.inputs.size()));
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) tensor_operand(operands, i);
  outputs[0] = stacked(operands, operands.inputs, number(operands, "axis", 0));
}

/// "begin" is the first index in each dim, "size" the length, where -1 means up to the end.
void evaluate_slice(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 3);
  const Dims& dims = tensor_operand(operands, 0).dims;
  const Integers begins = list_among(operands, 1, int32_or_int64);
  const Integers sizes = list_among(operands, 2, int32_or_int64);
  if (begins.size() != dims.size() || sizes.size() != dims.size())
    refuse(operands.node,
           fmt::format("{} begins and {} sizes are given for {} dims", begins.size(), sizes.size(), dims.size()));
  Integers ends;
  for (std::size_t i = 0; i < dims.size(); ++i) ends.push_back(end_of(operands.node, dims[i], begins[i], sizes[i]));
  call(evaluate_slice_10, operands, outputs, {operands.input(0), list_of(begins), list_of(ends)}, {});
}

/// Indices count from the front.
void evaluate_gather(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& data = tensor_operand(operands, 0);
  const std::size_t axis = axis_from_front(operands.node, number(operands, "axis", 0), data.dims.size());
  const Integers numbers = integers_among(operands, 1, all_indices);
  for (const std::int64_t index : numbers) {
    if (index < 0 || index >= data.dims[axis])
      refuse(operands.node, fmt::format("index {} is outside [0, {}]", index, data.dims[axis] - 1));
  }
  const Value indices = make_tensor<std::int64_t>(ElementType::int64, tensor_operand(operands, 1).dims, numbers);
  outputs[0] = batched_gather(operands, operands.input(0), indices, axis, number(operands, "batch_dims", 0));
}

void evaluate_transpose(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  call(kernels::evaluate_transpose, operands, outputs, {operands.input(0)},
       {{"perm", list_among(operands, 1, int32_only)}});
}

/// A floating-point number out of an integer's range becomes the nearest integer, NaN 0, as in our Cast of ONNX.
void evaluate_cast(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const ElementType to = type_attribute(operands, "out_data_type");
  expect_castable(operands.node, tensor_operand(operands, 0).type);
  expect_castable(operands.node, to);
  outputs[0] = converted(operands, operands.input(0), to);
}

void evaluate_shape(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const ElementType type = out_type(operands);
  call(kernels::evaluate_shape, operands, outputs, {operands.input(0)}, {});
  outputs[0] = converted(operands, outputs[0], type);
}

/// An empty list of axes reduces nothing.
void evaluate_sum(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Integers axes = axes_among(operands, 1, int32_only);
  call(evaluate_reduce_sum_13, operands, outputs, {operands.input(0), list_of(axes)},
       {{"keepdims", number(operands, "keep_dims", 0)}, {"noop_with_empty_axes", std::int64_t{1}}});
}

/// Operand 0 is the shape, operand 1 the scalar that fills it.
void evaluate_fill(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const std::size_t rank = tensor_operand(operands, 1).dims.size();
  if (rank != 0) refuse(operands.node, fmt::format("operand 1 has rank {}; expected a scalar", rank));
  call(evaluate_constant_of_shape, operands, outputs, {list_of(list_among(operands, 0, int32_or_int64))},
       {{"value", operands.input(1)}});
}

/// The axis defaults to 0.
void infer_concatenation(const OperandTypes& operands, std::span<Type> outputs) {
  Node node = operands.node;
  node.attributes.emplace("axis", std::int64_t{0});
  infer_concat_4({node, operands.inputs, operands.constants, operands.call, operands.misfit}, outputs);
}

void infer_pack(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, any_number);
  expect_none_left_out(operands);
  outputs[0] = Type::tensor(common_element_type(operands, 0, operands.inputs.size() - 1));
}

void infer_slice(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  expect_type_among(operands, 1, int32_or_int64);
  expect_type_among(operands, 2, int32_or_int64);
  outputs[0] = Type::tensor(element_type(operands, 0));
  if (const std::optional<Dims> dims = dims_of(operands, 0)) outputs[0].shape = Shape(dims->size());
}

void infer_gather(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type_among(operands, 1, all_indices);
  outputs[0] = Type::tensor(element_type(operands, 0));
}

void infer_transpose(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type_among(operands, 1, int32_only);
  outputs[0] = Type::tensor(element_type(operands, 0));
  if (const std::optional<Dims> dims = dims_of(operands, 0)) outputs[0].shape = Shape(dims->size());
}

void infer_cast(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const ElementType to = type_attribute(operands, "out_data_type");
  const Type& type = tensor_type(operands, 0);
  expect_castable(operands.node, type.element);
  expect_castable(operands.node, to);
  outputs[0] = Type::tensor(to, type.shape);
}

void infer_shape(const OperandTypes& operands, std::span<Type> outputs) {
  kernels::infer_shape(operands, outputs);
  outputs[0].element = out_type(operands);
}

void infer_sum(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type_among(operands, 1, int32_only);
  const ElementType element = element_type(operands, 0);
  if (element != ElementType::undefined && !is_numeric(element)) refuse_type(operands.node, element);
  outputs[0] = Type::tensor(element);
}

void infer_fill(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type_among(operands, 0, int32_or_int64);
  outputs[0] = Type::tensor(element_type(operands, 1));
  const std::optional<Integers> dims = constant_integers(operands, 0);
  if (dims && std::ranges::all_of(*dims, [](std::int64_t dim) { return dim >= 0; }))
    outputs[0].shape = static_shape(*dims);
}

}  // namespace ifcert::kernels::tflite
