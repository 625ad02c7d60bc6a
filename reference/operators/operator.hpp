// An operator for the evaluator and the rules: a name, a kernel and a type inference, one row in the table of its
// format.
#pragma once

#include <ifcert/evaluate.hpp>
#include <ifcert/graph.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limits/work.hpp"

namespace ifcert {
class CallAttributes;
}  // namespace ifcert

namespace ifcert::kernels {

/// The attribute of that name; where it is a reference, the attribute in the call of the enclosing function. nullptr
/// where it is absent.
const AttributeValue* find_attribute(const Node& node, std::string_view name, const CallAttributes* call);

/// The attribute, nullptr where it is absent; throws EvaluationError where its type is not T.
template <class T>
const T* find_attribute_of(const Node& node, std::string_view name, const CallAttributes* call) {
  const AttributeValue* value = find_attribute(node, name, call);
  if (value == nullptr) return nullptr;
  const T* typed = std::get_if<T>(value);
  if (typed == nullptr) {
    throw EvaluationError(node.op + ": attribute " + std::string(name) +
                          " does not have the type that the operator expects");
  }
  return typed;
}

/// The input of a kernel. `inputs` are in the node's order; an operand left out is an empty Value.
struct Operands {
  const Node& node;
  std::span<const Value> inputs;
  const CallAttributes* call = nullptr;  // attributes in the call of the enclosing function; nullptr outside functions
  Work work = {};                        // within the limits of the run

  /// The attribute, nullptr where it is absent; throws EvaluationError where its type is not T.
  template <class T>
  const T* attribute(std::string_view name) const {
    return find_attribute_of<T>(node, name, call);
  }

  /// The i-th operand; empty where it is left out or the node has fewer.
  const Value& input(std::size_t i) const {
    static const Value none;
    return i < inputs.size() ? inputs[i] : none;
  }
};

/// The input of type inference. `inputs` may be unknown; `constants` holds the values known before the run. `misfit`,
/// where it is not nullptr, receives a message on shapes that cannot fit in any run of the node.
struct OperandTypes {
  const Node& node;
  std::span<const Type* const> inputs;
  std::span<const Value> constants;
  const CallAttributes* call = nullptr;
  std::string* misfit = nullptr;

  /// The attribute, nullptr where it is absent; throws EvaluationError where its type is not T.
  template <class T>
  const T* attribute(std::string_view name) const {
    return find_attribute_of<T>(node, name, call);
  }
};

/// Pointers to the types in a list, as OperandTypes::inputs needs them.
inline std::vector<const Type*> pointers_to(std::span<const Type> types) {
  std::vector<const Type*> pointers;
  for (const Type& type : types) pointers.push_back(&type);
  return pointers;
}

/// Fills `outputs` (as many as the node has). Throws EvaluationError with what is wrong with the operands; the caller
/// adds the place in the model.
using Evaluate = void (*)(const Operands& operands, std::span<Value> outputs);

/// Fills `outputs` with what is certain and leaves the rest unknown. Throws EvaluationError where the operands' kinds
/// or element types can never fit; shapes that cannot fit are reported in `misfit`.
using Infer = void (*)(const OperandTypes& operands, std::span<Type> outputs);

/// Costs that several rows share.
inline constexpr std::uint64_t cost_of_a_function = 4;  // such as exp
inline constexpr std::uint64_t cost_of_a_conversion = 10;
inline constexpr std::uint64_t cost_of_quantizing = 15;
inline constexpr std::uint64_t cost_of_an_item = 5;  // of a sequence

struct Operator {
  std::string_view name;
  int since;  // the first version of the operator set in which this row holds
  Evaluate evaluate;
  Infer infer;
  std::uint64_t cost = 1;  // of an element that is read or made, in steps of about a nanosecond
};

/// The row of ONNX's own operators that applies to that version of the operator set; nullptr where there is none.
const Operator* find_onnx_operator(std::string_view name, int version);

/// The same for OpenVINO's operator sets.
const Operator* find_openvino_operator(std::string_view name, int version);

/// The row of an operator of TensorFlow Lite, which holds for all versions; nullptr where there is none.
const Operator* find_tflite_operator(std::string_view name);

/// The same for a format's own operators.
const Operator* find_operator(Format format, std::string_view name, int version);

}  // namespace ifcert::kernels
