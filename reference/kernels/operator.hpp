// What an operator is to the evaluator and to the rules: a name, a kernel and a type inference, one row in its format's
// table.
#pragma once

#include <ifcert/evaluate.hpp>
#include <ifcert/graph.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ifcert {
class CallAttributes;
class Meter;
}  // namespace ifcert

namespace ifcert::kernels {

/// The attribute of that name, through a reference to what the enclosing function's call gives; nullptr where it is
/// absent or, being a reference, not given.
const AttributeValue* find_attribute(const Node& node, std::string_view name, const CallAttributes* given);

/// The attribute if it is present; throws EvaluationError where it has another type than T.
template <class T>
const T* find_attribute_of(const Node& node, std::string_view name, const CallAttributes* given) {
  const AttributeValue* value = find_attribute(node, name, given);
  if (value == nullptr) return nullptr;
  const T* typed = std::get_if<T>(value);
  if (typed == nullptr) {
    throw EvaluationError(node.op + ": attribute " + std::string(name) +
                          " has another type than the operator asks for");
  }
  return typed;
}

/// What an operator is evaluated on. `inputs` are in the node's order; an operand left out is an empty Value.
struct Operands {
  const Node& node;
  std::span<const Value> inputs;
  const CallAttributes* given = nullptr;  // what the call of the enclosing function gives; nullptr outside functions
  Meter* meter = nullptr;                 // what the run has left of its limits; nullptr where there are none

  /// The attribute if it is present; throws EvaluationError where it has another type than T.
  template <class T>
  const T* attribute(std::string_view name) const {
    return find_attribute_of<T>(node, name, given);
  }

  /// The i-th operand; empty where it is left out or the node has fewer.
  const Value& input(std::size_t i) const {
    static const Value none;
    return i < inputs.size() ? inputs[i] : none;
  }
};

/// What an operator's types are inferred from. `inputs` may be unknown; `constants` holds the values known before the
/// run. `misfit`, where it is not nullptr, gets a sentence on shapes that no run of the node can make fit.
struct OperandTypes {
  const Node& node;
  std::span<const Type> inputs;
  std::span<const Value> constants;
  const CallAttributes* given = nullptr;
  std::string* misfit = nullptr;

  /// The attribute if it is present; throws EvaluationError where it has another type than T.
  template <class T>
  const T* attribute(std::string_view name) const {
    return find_attribute_of<T>(node, name, given);
  }
};

/// Fills `outputs` (as many as the node has). Throws EvaluationError saying what is wrong with the operands; the caller
/// adds the place.
using Evaluate = void (*)(const Operands& operands, std::span<Value> outputs);

/// Fills `outputs` with what is certain, leaving the rest unknown. Throws EvaluationError where the operands' kinds or
/// element types can never fit; of shapes that cannot fit `misfit` tells.
using Infer = void (*)(const OperandTypes& operands, std::span<Type> outputs);

struct Operator {
  std::string_view name;
  int since;  // the first version of the operator set in which this row holds
  Evaluate evaluate;
  Infer infer;
};

/// The row of ONNX's own operators in force at that version of the operator set; nullptr where we have none.
const Operator* find_onnx_operator(std::string_view name, int version);

/// The same of the operator sets of OpenVINO.
const Operator* find_openvino_operator(std::string_view name, int version);

/// The row of an operator of TensorFlow Lite, which is that of every version; nullptr where we have none.
const Operator* find_tflite_operator(std::string_view name);

/// The same of the format's own operators.
const Operator* find_operator(Format format, std::string_view name, int version);

}  // namespace ifcert::kernels
