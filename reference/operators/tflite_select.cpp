// SELECT. Sentence: kernels-select-condition.
#include <fmt/format.h>

#include "operators/foreign_call.hpp"
#include "operators/result.hpp"
#include "operators/tflite_operators.hpp"

namespace ifcert::kernels::tflite {
namespace {

/// The condition with dims that numpy's rules align with `dims`.
Value aligned(const Operands& operands, const Tensor& condition, const Dims& dims) {
  if (condition.dims == dims || condition.dims.empty()) return condition;
  if (condition.dims.size() != 1 || dims.empty() || condition.dims[0] != dims[0])
    refuse(operands.node, fmt::format("a condition of shape {} cannot select from shape {}",
                                      to_string(static_shape(condition.dims)), to_string(static_shape(dims))));
  Dims aligned_dims(dims.size(), 1);
  aligned_dims[0] = dims[0];
  return with_dims(operands, condition, aligned_dims);
}

}  // namespace

void evaluate_select(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 3);
  const Tensor& condition = tensor_operand(operands, 0, ElementType::boolean);
  const Dims& dims = tensor_operand(operands, 1).dims;
  if (dims != tensor_operand(operands, 2).dims) refuse(operands.node, "operands 1 and 2 differ in shape");
  call(evaluate_where, operands, outputs, {aligned(operands, condition, dims), operands.input(1), operands.input(2)},
       {});
}

void infer_select(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  expect_type(operands, 0, ElementType::boolean);
  outputs[0] = Type::tensor(common_element_type(operands, 1, 2), tensor_type(operands, 1).shape);
}

}  // namespace ifcert::kernels::tflite
