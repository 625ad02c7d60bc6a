// The rules of TensorFlow Lite: those of If and While are in reference/if/; here, the declared types of tensors are
// checked against the operators between them.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>

#include "check/model_rules.hpp"
#include "if/tflite_if_and_while_rules.hpp"
#include "limits/budget.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "model/type_union.hpp"
#include "operators/operator.hpp"

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

/// Reports an operator, not an If or While, whose tensors can never fit it: operator `number` of a graph, whose slots
/// have these types. The number of steps depends on the dimensions of the operands.
/// Rules: tflite/file/declared-type-agrees, tflite/file/operands-fit.
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

}  // namespace

// Rule: tflite/file/size-limit.
void check_tflite(const Model& model, std::span<const std::vector<Type>> types, Findings& findings) {
  Budget steps("steps of type inference", budget_limit, "tflite/file/size-limit");
  for (GraphIndex index = 0; index < model.graphs.size() && !findings.full(); ++index) {
    const Graph& graph = model.graphs[index];
    const Place graph_place = place_of(graph);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      const Place place = place_of(graph, i, graph_place);
      const IfOrWhileSite site{model, index, node, place, types};
      const NodeKind kind = node_kind(node, Format::tflite);
      if (kind == NodeKind::if_ || kind == NodeKind::while_) {
        if (node.bodies.size() != 2) continue;  // the reader has reported this
        const auto check = kind == NodeKind::if_ ? check_tflite_if : check_tflite_while;
        check(site, findings);
      } else if (node.domain.empty()) {
        check_tflite_operator(graph, i, types[index], steps, findings);
      }
    }
  }
}

}  // namespace ifcert::rules
