// Calls of one operator of TensorFlow Lite, for tests.
#pragma once

#include "operators/operator_call.hpp"

namespace ifcert::kernels::tflite {

/// The output of the operator for a node with one, or the message with which it refuses.
inline std::string outcome(const std::string& op, const std::vector<Value>& inputs, const Attributes& attributes = {}) {
  const Operator* found = find_operator(Format::tflite, op, 1);
  if (found == nullptr) return "no operator";
  const Node node = node_of({op, inputs, attributes, 1});
  std::vector<Value> outputs(1);
  try {
    found->evaluate({node, inputs}, outputs);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return to_string(outputs[0]);
}

/// The type inferred from those of the operands, or the message with which it is refused. An unknown type is an operand
/// left out; `constants` that are not empty are known values.
inline std::string inferred(const std::string& op, const std::vector<Type>& types, const Attributes& attributes = {},
                            std::vector<Value> constants = {}) {
  const Operator* found = find_operator(Format::tflite, op, 1);
  if (found == nullptr) return "no operator";
  Node node = node_of({op, {}, attributes, 1});
  for (Slot i = 0; i < types.size(); ++i) node.inputs.push_back(types[i].known() ? i : no_slot);
  constants.resize(types.size());
  std::vector<Type> outputs(1);
  try {
    found->infer({node, pointers_to(types), constants}, outputs);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return to_string(outputs[0]);
}

/// An int32 tensor.
inline Value ints(Dims dims, const std::vector<std::int32_t>& elements) {
  return tensor(ElementType::int32, std::move(dims), elements);
}

/// An int32 list: shapes, axes and the like.
inline Value int_list(const std::vector<std::int32_t>& elements) {
  return ints({static_cast<std::int64_t>(elements.size())}, elements);
}

inline Value bytes(ElementType type, const std::vector<std::uint8_t>& elements) {
  return tensor(type, {static_cast<std::int64_t>(elements.size())}, elements);
}

inline const Type int_type = Type::tensor(ElementType::int32);

}  // namespace ifcert::kernels::tflite
