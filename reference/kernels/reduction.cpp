// ReduceSum. Integers wrap; floating point is added as double in row order and rounded once.
#include <fmt/format.h>

#include <type_traits>

#include "kernels/broadcast.hpp"
#include "kernels/numeric.hpp"
#include "kernels/onnx_operators.hpp"
#include "kernels/result.hpp"

namespace ifcert::kernels {
namespace {

using Integers = std::vector<std::int64_t>;

// The dims with 1 along the reduced axes; no axes means all of them.
Dims reduced(const Node& node, Dims dims, const Integers& axes) {
  if (axes.empty()) return Dims(dims.size(), 1);
  for (const std::int64_t axis : axes) dims[axis_from_front(node, axis, dims.size())] = 1;
  return dims;
}

Dims without_reduced(const Node& node, const Dims& dims, const Integers& axes) {
  if (axes.empty()) return {};
  std::vector<bool> gone(dims.size());
  for (const std::int64_t axis : axes) gone[axis_from_front(node, axis, dims.size())] = true;
  Dims kept;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!gone[i]) kept.push_back(dims[i]);
  }
  return kept;
}

template <class Context>
bool flag(const Context& operands, std::string_view name, bool otherwise) {
  const auto* value = operands.template attribute<std::int64_t>(name);
  return value == nullptr ? otherwise : *value != 0;
}

template <class T>
void add_up(const Tensor& tensor, const Dims& kept, const Result& result) {
  using Accumulator = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
  std::vector<Accumulator> sums(result.count());
  BroadcastIndex place(kept, tensor.dims);
  for (const T element : tensor.elements<T>()) sums[place.next()] += static_cast<Accumulator>(number_of(element));
  const auto results = result.elements<T>();
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = element_of<T>(sums[i]);
}

void reduce_sum(const Operands& operands, std::span<Value> outputs, const Integers& axes) {
  const Tensor& tensor = tensor_operand(operands, 0);
  const Dims kept = reduced(operands.node, tensor.dims, axes);
  const bool keep = flag(operands, "keepdims", true);
  Result result(operands.node, tensor.type, keep ? kept : without_reduced(operands.node, tensor.dims, axes));
  const bool done = visit_numeric(tensor.type, [&]<class T>() {
    if (tensor.count() > 0) add_up<T>(tensor, kept, result);
  });
  if (!done)
    refuse(operands.node, fmt::format("operand 0 is tensor({}), which it does not take", name_of(tensor.type)));
  outputs[0] = std::move(result).value();
}

template <class Context>
Integers axes_attribute(const Context& operands) {
  const auto* axes = operands.template attribute<Integers>("axes");
  return axes == nullptr ? Integers{} : *axes;
}

// `axes` is nullopt where they are not known.
void infer_sum(const OperandTypes& operands, std::span<Type> outputs, const std::optional<Integers>& axes) {
  const ElementType element = element_type(operands, 0);
  if (element != ElementType::undefined && !is_numeric(element)) {
    refuse(operands.node, fmt::format("operand 0 is tensor({}), which it does not take", name_of(element)));
  }
  outputs[0] = Type::tensor(element);
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands)) return;
  const bool keep = flag(operands, "keepdims", true);
  if (axes) {
    outputs[0].shape = shape_if_it_fits(
        [&] { return keep ? reduced(operands.node, *dims, *axes) : without_reduced(operands.node, *dims, *axes); });
  } else if (keep) {
    outputs[0].shape = Shape(dims->size());
  }
}

}  // namespace

void evaluate_reduce_sum_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  reduce_sum(operands, outputs, axes_attribute(operands));
}

void evaluate_reduce_sum_13(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Integers axes = integer_list(operands, 1).value_or(Integers{});
  reduce_sum(operands, outputs, axes);
  if (axes.empty() && flag(operands, "noop_with_empty_axes", false)) outputs[0] = operands.inputs[0];
}

void infer_reduce_sum_1(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  infer_sum(operands, outputs, attributes_known(operands) ? std::optional(axes_attribute(operands)) : std::nullopt);
}

void infer_reduce_sum_13(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 2);
  if (!is_left_out(operands, 1)) expect_type(operands, 1, ElementType::int64);
  const std::optional<Integers> axes = is_left_out(operands, 1) ? Integers{} : constant_integers(operands, 1);
  infer_sum(operands, outputs, axes);
  const bool may_be_empty = !axes || axes->empty();
  if (!may_be_empty || !attributes_known(operands)) return;
  if (flag(operands, "noop_with_empty_axes", false)) {
    outputs[0].shape = axes ? tensor_type(operands, 0).shape : std::nullopt;
  }
}

}  // namespace ifcert::kernels
