// Calls of one ONNX operator, for tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "operators/operator.hpp"

namespace ifcert::kernels {

/// A node with one output. An empty value or type among the operands is one that is left out.
struct Call {
  std::string op;
  std::vector<Value> inputs = {};
  Attributes attributes = {};
  int version = 25;
};

inline Node node_of(const Call& call) {
  Node node;
  node.op = call.op;
  node.version = call.version;
  node.attributes = call.attributes;
  for (Slot i = 0; i < call.inputs.size(); ++i) node.inputs.push_back(call.inputs[i].empty() ? no_slot : i);
  return node;
}

/// The outputs of the operator for a node with that many. Throws its EvaluationError.
inline std::vector<Value> all_evaluated(const Call& call, std::size_t count) {
  const Operator* found = find_onnx_operator(call.op, call.version);
  if (found == nullptr) throw EvaluationError("no operator " + call.op);
  const Node node = node_of(call);
  std::vector<Value> outputs(count);
  found->evaluate({node, call.inputs}, outputs);
  return outputs;
}

/// The output of the operator. Throws its EvaluationError.
inline Value evaluated(const Call& call) {
  return all_evaluated(call, 1)[0];
}

/// The type inferred from the types of the operands; those of `constants` that are not empty are known values.
inline Type inferred(const Call& call, const std::vector<Type>& types, const std::vector<Value>& constants = {}) {
  const Operator* found = find_onnx_operator(call.op, call.version);
  if (found == nullptr) throw EvaluationError("no operator " + call.op);
  Node node = node_of(call);
  node.inputs.clear();
  for (Slot i = 0; i < types.size(); ++i) node.inputs.push_back(i);
  std::vector<Value> known = constants;
  known.resize(types.size());
  std::vector<Type> outputs(1);
  found->infer({node, pointers_to(types), known}, outputs);
  return outputs[0];
}

/// The misfit that inference finds for a node of these operands.
inline std::string misfit_of(const Call& call, const std::vector<Type>& types) {
  std::string misfit;
  Node node = node_of(call);
  for (Slot i = 0; i < types.size(); ++i) node.inputs.push_back(i);
  const std::vector<Value> unknown(types.size());
  std::vector<Type> outputs(1);
  find_onnx_operator(call.op, call.version)->infer({node, pointers_to(types), unknown, nullptr, &misfit}, outputs);
  return misfit;
}

/// The message with which the operator refuses the call; empty where it does not.
inline std::string refusal(const Call& call) {
  try {
    evaluated(call);
    return {};
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

template <class T>
Value tensor(ElementType type, Dims dims, const std::vector<T>& elements) {
  return make_tensor<T>(type, std::move(dims), std::span<const T>(elements));
}

inline Value floats(Dims dims, const std::vector<float>& elements) {
  return tensor(ElementType::float32, std::move(dims), elements);
}

inline Value integers(Dims dims, const std::vector<std::int64_t>& elements) {
  return tensor(ElementType::int64, std::move(dims), elements);
}

/// A list of int64: axes, shapes and the like.
inline Value list(const std::vector<std::int64_t>& elements) {
  return integers({static_cast<std::int64_t>(elements.size())}, elements);
}

inline Value booleans(Dims dims, const std::vector<std::uint8_t>& elements) {
  return tensor(ElementType::boolean, std::move(dims), elements);
}

inline Type float_type(const Dims& dims) {
  return Type::tensor(ElementType::float32, static_shape(dims));
}

/// Same type, same shape, same bits as `expected`.
MATCHER_P(IsValue, expected, to_string(expected)) {
  *result_listener << to_string(arg);
  return same_bits(arg, expected);
}

}  // namespace ifcert::kernels
