// RESHAPE, EXPAND_DIMS: other dims, the same elements. Each calls the kernel of ONNX.
#include <fmt/format.h>

#include "operators/tflite_operands.hpp"
#include "operators/tflite_operators.hpp"

namespace ifcert::kernels::tflite {
namespace {

/// The shape in the options, where [0] means a scalar. Sentence: kernels-reshape-scalar.
template <class Context>
std::optional<Integers> shape_option(const Context& operands) {
  const auto* shape = operands.template attribute<Integers>("new_shape");
  if (shape == nullptr) return std::nullopt;
  return *shape == Integers{0} ? Integers{} : *shape;
}

/// The operand has precedence over the option.
Integers requested_shape(const Operands& operands) {
  if (!operands.input(1).empty()) return list_among(operands, 1, int32_only);
  std::optional<Integers> option = shape_option(operands);
  if (!option) refuse(operands.node, "neither operand 1 nor attribute new_shape has the new shape");
  return *std::move(option);
}

}  // namespace

/// A 0 is a dim of size 0.
void evaluate_reshape(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  call(evaluate_reshape_5, operands, outputs, {operands.input(0), list_of(requested_shape(operands))},
       {{"allowzero", std::int64_t{1}}});
}

void evaluate_expand_dims(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Integers axes = axes_among(operands, 1, int32_or_int64);
  if (axes.size() != 1) refuse(operands.node, fmt::format("{} axes are given; expected one", axes.size()));
  call(evaluate_unsqueeze_13, operands, outputs, {operands.input(0), list_of(axes)}, {});
}

void infer_reshape(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 2);
  outputs[0] = Type::tensor(element_type(operands, 0));
  const bool has_shape = !is_left_out(operands, 1);
  if (has_shape) expect_type_among(operands, 1, int32_only);
  if (const auto requested = has_shape ? constant_integers(operands, 1) : shape_option(operands)) {
    outputs[0].shape = static_shape(*requested);
    for (Dim& dim : *outputs[0].shape) dim.value = dim.known() ? dim.value : -1;
  }
}

void infer_expand_dims(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type_among(operands, 1, int32_or_int64);
  outputs[0] = Type::tensor(element_type(operands, 0));
}

}  // namespace ifcert::kernels::tflite
