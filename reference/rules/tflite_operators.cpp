// The declared types of TensorFlow Lite's tensors, checked against the operators between them.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>

#include "inference/inference.hpp"
#include "kernels/operator.hpp"
#include "node_place.hpp"
#include "rules/tflite_rules.hpp"
#include "type_union.hpp"

namespace ifcert::rules {
namespace {

/// Copying this many dimensions costs about as much as checking one operator.
constexpr std::size_t dims_of_a_step = 16;

/// Whether the reference knows what the specification says of tensors of this type; operators on others are not
/// checked.
bool is_checked_type(const Type& type) {
  if (!type.is_tensor()) return false;
  switch (type.element) {
    case ElementType::boolean:
    case ElementType::int8:
    case ElementType::int16:
    case ElementType::int32:
    case ElementType::int64:
    case ElementType::uint8:
    case ElementType::float32:
    case ElementType::string:
      return true;
    default:
      return false;
  }
}

}  // namespace

void check_tflite_operator(const Graph& graph, std::size_t number, std::span<const Type> types, Budget& steps,
                           Findings& findings) {
  const Node& node = graph.nodes[number];
  const kernels::Operator* op =
      node.domain.empty() ? kernels::find_operator(Format::tflite, node.op, node.version) : nullptr;
  if (op == nullptr || op->infer == nullptr) return;
  const Place graph_place = place_of(graph);
  const Place place = place_of(graph, number, graph_place);
  static const Type left_out;
  std::vector<const Type*> inputs;
  for (const Slot slot : node.inputs) {
    if (slot != no_slot) steps.spend(parts_of(types[slot]) / dims_of_a_step, place);
    inputs.push_back(slot == no_slot ? &left_out : &types[slot]);
  }
  const auto is_checked = [](const Type& type) { return !type.known() || is_checked_type(type); };
  const bool all_checked = std::ranges::all_of(inputs, [&](const Type* type) { return is_checked(*type); }) &&
                           std::ranges::all_of(node.outputs, [&](Slot slot) { return is_checked(types[slot]); });
  if (!all_checked) return;
  const std::vector<Value> unknown(inputs.size());
  std::vector<Type> outputs(node.outputs.size());
  try {
    op->infer({node, inputs, unknown}, outputs);
  } catch (const EvaluationError& error) {
    findings.report("tflite/file/operands-fit", place, error.what(), "inputs that the operator's specification allows");
    return;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Type& declared = graph.slots[node.outputs[i]].declared;
    if (agree_except_shape(outputs[i], declared)) continue;
    findings.report(
        "tflite/file/declared-type-agrees", place.numbered("output", i),
        fmt::format("the tensor is {}, but {} returns {}", kind_text(declared), node.op, kind_text(outputs[i])),
        "the tensor's type is the value's type");
  }
}

}  // namespace ifcert::rules
