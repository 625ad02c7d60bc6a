// The element types that an operation of OpenVINO has by its page. The reference computes those of ONNX's operator.
#pragma once

#include <cstdint>
#include <vector>

#include "operators/openvino_operands.hpp"

namespace ifcert::kernels::openvino {

/// What a page says of T: "any numeric type", "any supported signed numeric type", "any floating-point type" or
/// "arbitrary supported type". Booleans and strings are no numbers here.
enum class Elements : std::uint8_t { numbers, signed_numbers, floating, any };

/// Refuses operands of a type that the page does not have.
void expect_elements(const OperandTypes& operands, Elements accepted);

/// Refuses, as something that the reference lacks, elements that the page has and `infer`, of ONNX's operator, refuses.
void expect_computed(InferFunction infer, const Operands& operands, Elements accepted);

/// Infers by `infer`, of ONNX's operator, as if the one element type of all operands were not known.
template <class Infer>
void infer_of_any_elements(Infer infer, const OperandTypes& operands, std::span<Type> outputs) {
  std::vector<Type> types;
  bool alike = true;
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    types.push_back(Type::tensor(ElementType::undefined, tensor_type(operands, i).shape));
    alike = alike && element_type(operands, i) == element_type(operands, 0);
  }
  if (!alike) return infer(operands, outputs);
  infer(OperandTypes{operands.node, pointers_to(types), operands.constants, operands.call, operands.misfit}, outputs);
  if (outputs[0].element == ElementType::undefined) outputs[0].element = element_type(operands, 0);
}

template <EvaluateFunction* kernel, InferFunction* infer, Elements accepted>
void evaluate_each(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 1, 1);
  expect_computed(*infer, operands, accepted);
  kernel(operands, outputs);
}

template <InferFunction* infer, Elements accepted>
void infer_each(const OperandTypes& operands, std::span<Type> outputs) {
  expect_elements(operands, accepted);
  infer_of_any_elements(*infer, operands, outputs);
}

}  // namespace ifcert::kernels::openvino
