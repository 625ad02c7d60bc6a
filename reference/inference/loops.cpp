// Loop, Scan and SequenceMap, which enter their bodies once per trip: only what is true of every trip is inferred.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>

#include "inference/scan_form.hpp"
#include "inference/walk.hpp"
#include "kernels/operands.hpp"

namespace ifcert::inference {
namespace {

/// The type of one element of a scanned operand. Refuses an operand that is not a tensor, or does not have the axis.
Type element_of(const Node& node, Type type, std::int64_t axis) {
  if (type.known() && !type.is_tensor()) {
    kernels::refuse(node, fmt::format("a scanned operand is {}; a tensor is required", kind_text(type)));
  }
  if (!type.shape) return type;
  const std::size_t at = kernels::axis_from_front(node, axis, type.shape->size());
  type.shape->erase(type.shape->begin() + static_cast<std::ptrdiff_t>(at));
  return type;
}

}  // namespace

/// Reports a loop without exactly one body: the specification of each loop has "body : graph (required)".
void Inference::check_body(const Node& node, const Place& place) {
  const auto bodies = std::ranges::count(node.bodies, "body", &Body::role);
  if (bodies == 1) return;
  report(operands_fit_rule(), place,
         bodies == 0 ? fmt::format("{}: attribute body is missing", node.op)
                     : fmt::format("{}: attribute body has {} graphs; expected one", node.op, bodies),
         expected_operands);
}

/// Records the output types of a loop's body. An output costs one step, and one more for each part of its type
/// (elsewhere, 16 parts cost one), because these types are kept for every call.
void Inference::record_trip_types(GraphIndex index, std::size_t node_index, const Place& place) {
  const Node& node = model_.graphs[index].nodes[node_index];
  if (current_call_number() == unrecorded || node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  if (!is_loop(node_kind(node, model_.format))) return;
  std::vector<Type> outputs;
  for (const Slot slot : model_.graphs[node.bodies[0].graph].outputs) {
    outputs.push_back(types_[node.bodies[0].graph][slot]);
    budget_.spend_steps(1 + parts_of(outputs.back()), place);
  }
  trip_types_.record({current_call_number(), index, node_index}, std::move(outputs));
}

/// Whether a Loop makes a trip in every run. A trip count or cond that is left out never ends the loop.
bool Inference::certainly_makes_a_trip(GraphIndex index, const Node& node) const {
  const auto is_present = [&](std::size_t i) { return i < node.inputs.size() && node.inputs[i] != no_slot; };
  if (is_present(1) && known_truth(index, node, 1) != true) return false;
  if (!is_present(0)) return true;
  const Tensor* trip_count = known_values_[index][node.inputs[0]].tensor();
  const bool known =
      trip_count != nullptr && trip_count->type == ElementType::int64 && kernels::bytes_fit_shape(*trip_count);
  return known && trip_count->count() == 1 && trip_count->elements<std::int64_t>()[0] > 0;
}

/// In the body, only the element types of the carried values are certain: a trip may change their shapes.
void Inference::infer_loop(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  std::vector<Type> inputs{Type::tensor(ElementType::int64), Type::tensor(ElementType::boolean)};
  for (std::size_t i = 2; i < node.inputs.size(); ++i) inputs.push_back(without_shapes(input(index, node, i)));
  const std::vector<Type> results =
      enter_with(index, node.bodies[0], inputs, place, certainly_makes_a_trip(index, node));
  const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  for (std::size_t i = 0; i < outputs.size() && i + 1 < results.size(); ++i) {
    // Without a trip, a carried value is returned as it was passed.
    const Type initial = i < carried ? input(index, node, i + 2) : Type{};
    outputs[i] =
        without_shapes(initial.known() && results[i + 1].known() ? union_of(initial, results[i + 1]) : results[i + 1]);
    // A scan output stacks the results of all trips along a new first axis.
    if (i >= carried && results[i + 1].is_tensor() && results[i + 1].shape) {
      outputs[i].shape.emplace(1);
      outputs[i].shape->insert(outputs[i].shape->end(), results[i + 1].shape->begin(), results[i + 1].shape->end());
    }
  }
}

/// Scan from version 9 on. A state variable keeps its type and shape. For a scan output, only the length of the scan
/// axis is unknown.
void Inference::infer_scan(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  const bool attributes_unknown = has_unresolved_attribute(node);
  ScanForm form;
  std::vector<Type> inputs;
  try {
    if (!attributes_unknown) form = scan_form(node, model_.graphs[node.bodies[0].graph], attributes_of(call_));
    for (std::size_t i = 0; i < form.states + form.inputs.size(); ++i) {
      inputs.push_back(input(index, node, i));
      if (i >= form.states) inputs.back() = element_of(node, inputs.back(), form.inputs[i - form.states].axis);
    }
  } catch (const EvaluationError& error) {
    report(operands_fit_rule(), place, error.what(), expected_operands);
  }
  const std::vector<Type> results = enter_with(index, node.bodies[0], inputs, place, false);
  if (form.inputs.empty()) return;  // scan_form() failed or was skipped: a valid form has at least one scanned operand
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
    outputs[i] = results[i];
    if (i < form.states || !outputs[i].shape) continue;
    const auto rank = static_cast<std::int64_t>(outputs[i].shape->size()) + 1;
    const std::int64_t axis = form.outputs[i - form.states].axis;
    if (axis < -rank || axis >= rank) {
      outputs[i].shape.reset();
    } else {
      outputs[i].shape->insert(outputs[i].shape->begin() + (axis < 0 ? axis + rank : axis), Dim{});
    }
  }
}

/// The body gets one item of each sequence operand, and tensor operands whole. Outputs are sequences.
void Inference::infer_sequence_map(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  const Type first = input(index, node, 0);
  if (first.known() && first.kind != Type::Kind::sequence) {
    report(operands_fit_rule(), place,
           fmt::format("SequenceMap: operand 0 is {}; a sequence is required", kind_text(first)), expected_operands);
  }
  std::vector<Type> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Type type = input(index, node, i);
    inputs.push_back(type.kind == Type::Kind::sequence ? type.item.front() : std::move(type));
  }
  const std::vector<Type> results = enter_with(index, node.bodies[0], inputs, place, false);
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
    if (results[i].known()) outputs[i] = Type::sequence_of(without_shapes(results[i]));
  }
}

}  // namespace ifcert::inference
