// Loop, Scan and SequenceMap, which enter their bodies once per trip: only what is true of every trip is inferred.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>

#include "check/inference/scan_form.hpp"
#include "check/inference/walk.hpp"
#include "model/type_agreement.hpp"
#include "model/type_union.hpp"
#include "operators/operands.hpp"

namespace ifcert::inference {
namespace {

/// The type of one element of the scanned operand `number` (0: the first after the states). Refuses an operand that
/// does not have the axis.
Type element_of(const Node& node, const ScanForm& form, std::size_t number, Type type) {
  if (!type.shape) return type;
  const std::size_t at = scan_axis(node, form, number, type.shape->size());
  type.shape->erase(type.shape->begin() + static_cast<std::ptrdiff_t>(at));
  return type;
}

/// The type that a Loop's body sees for an input. Where the body declares that input as an optional, trips.cpp wraps
/// the value in one, so the declared type holds.
Type type_in_body(const Graph& body, std::size_t input, Type type) {
  if (input >= body.inputs.size() || type.kind == Type::Kind::optional) return type;
  const Type& declared = body.slots[body.inputs[input]].declared;
  const bool wraps = declared.kind == Type::Kind::optional && (!type.known() || agree(type, declared.item.front()));
  return wraps ? declared : type;
}

}  // namespace

void Inference::report_operands(const Place& place, const std::string& found) {
  report(operands_fit_rule(), place, found, "operands that the operator's specification allows");
}

/// The graph of a loop's body; nullptr if the body refers to a graph that no call passes.
const Graph* Inference::body_graph(GraphIndex index, const Node& node) const {
  const auto resolved = resolve_body(node.bodies[0], index, call_);
  return resolved ? &model_.graphs[resolved->body->graph] : nullptr;
}

/// Reports a loop that does not have exactly one body, or has a graph in an attribute other than `body`. Returns
/// whether it has one body and no other graph. Sentence: operators-loop-attributes. Rule: onnx/model/operands-fit.
bool Inference::has_one_body(const Node& node, const Place& place) {
  const auto bodies = std::ranges::count(node.bodies, "body", &Body::role);
  if (bodies == 0) report_operands(place, fmt::format("{}: attribute body is missing", node.op));
  if (bodies > 1)
    report_operands(place, fmt::format("{}: attribute body has {} graphs; expected one", node.op, bodies));
  if (bodies == 1 && node.bodies.size() > 1)
    report_operands(place, fmt::format("{}: an attribute other than body is a graph", node.op));
  return bodies == 1 && node.bodies.size() == 1;
}

/// Reports a body whose inputs or outputs are not as many as the node needs.
void Inference::expect_body_size(const Node& node, const Graph& body, std::size_t inputs, std::size_t outputs,
                                 const Place& place) {
  // An input of the body that is an initializer as well does not count: the reader has reported it.
  std::vector<bool> has_default(body.slots.size());
  for (const Constant& constant : body.constants) has_default[constant.slot] = true;
  const auto formal =
      static_cast<std::size_t>(std::ranges::count_if(body.inputs, [&](Slot slot) { return !has_default[slot]; }));
  if (formal == inputs && body.outputs.size() == outputs) return;
  report(operands_fit_rule(), place,
         fmt::format("{}: the body has {} inputs and {} outputs", node.op, formal, body.outputs.size()),
         fmt::format("{} inputs and {} outputs, for a node with {} inputs and {} outputs", inputs, outputs,
                     node.inputs.size(), node.outputs.size()));
}

/// Reports a value that cannot be a tensor with a single element of type `element`. `what` is for the message: "the
/// trip count".
void Inference::expect_single(const Type& type, ElementType element, std::string_view what, const Place& place) {
  if (!type.known()) return;
  const std::string found =
      fmt::format("{} is {}; a tensor({}) with a single element is required", what, to_string(type), name_of(element));
  if (!type.is_tensor() || (type.element != ElementType::undefined && type.element != element))
    report_operands(place, found);
  else if (type.shape && std::ranges::any_of(*type.shape, [](const Dim& dim) { return dim.known() && dim.value != 1; }))
    report_misfit(place, found);
}

/// Whether a result of a trip can be stacked; reports it if not.
/// Sentences: operators-loop-scan-outputs-are-tensors, operators-scan-types.
bool Inference::may_be_stacked(const Node& node, const Type& result, const Place& place) {
  if (!result.known() || result.is_tensor()) return true;
  report_operands(place,
                  fmt::format("{}: a trip returns {} to be stacked; a tensor is required", node.op, kind_text(result)));
  return false;
}

/// A trip count or cond that is left out still takes its place in the list, with an empty name, so that a Loop always
/// has at least two inputs.
/// Sentences: operators-loop-body-inputs, operators-loop-body-outputs, operators-loop-trip-count-type,
/// operators-loop-cond-type, operators-loop-outputs, operators-loop-input-count.
/// Rule: onnx/model/operands-fit.
void Inference::check_loop(GraphIndex index, const Node& node, const Graph& body, const Place& place) {
  if (node.inputs.size() < 2)
    report_operands(place, fmt::format("Loop: {} inputs; at least 2 are required", node.inputs.size()));
  const std::size_t inputs = std::max<std::size_t>(node.inputs.size(), 2);
  expect_body_size(node, body, inputs, 1 + std::max(node.outputs.size(), inputs - 2), place);
  if (node.outputs.size() + 2 < inputs)
    report_operands(place, fmt::format("Loop: {} outputs for {} carried values", node.outputs.size(), inputs - 2));
  expect_single(input(index, node, 0), ElementType::int64, "the trip count", place);
  expect_single(input(index, node, 1), ElementType::boolean, "cond", place);
}

/// Records the output types of a loop's body, for runs without a trip. A loop whose body is passed by a call is left
/// out, because the evaluator refuses it (plan.cpp).
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

/// Whether a Loop makes a trip in every run. A trip count or cond that is left out does not prevent the first trip.
bool Inference::certainly_makes_a_trip(GraphIndex index, const Node& node) const {
  const auto is_present = [&](std::size_t i) { return i < node.inputs.size() && node.inputs[i] != no_slot; };
  if (is_present(1) && known_truth(index, node, 1) != true) return false;
  if (!is_present(0)) return true;
  const Tensor* trip_count = known_values_[index][node.inputs[0]].tensor();
  const bool known =
      trip_count != nullptr && trip_count->type == ElementType::int64 && kernels::bytes_fit_shape(*trip_count);
  return known && trip_count->count() == 1 && trip_count->elements<std::int64_t>()[0] > 0;
}

/// Compares the shapes that the body declares for the carried values with those that the first trip gets. (Their other
/// parts are compared on entering the body.)
void Inference::check_initial_shapes(GraphIndex index, const Node& node, const Graph& body, const Place& place) {
  for (std::size_t i = 2; i < node.inputs.size() && i < body.inputs.size(); ++i) {
    const SlotInfo& inner = body.slots[body.inputs[i]];
    const Type initial = type_in_body(body, i, input(index, node, i));
    if (agree_except_shape(initial, inner.declared))
      check_declared(node.op, "passes", inner.declared, initial,
                     place.word(node.bodies[0].role).named("input", inner.name));
  }
}

/// In the body, only the element types of the carried values are certain: a trip may change their shapes.
void Inference::infer_loop(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const Graph* body = body_graph(index, node);
  if (body == nullptr) return;
  check_loop(index, node, *body, place);
  check_initial_shapes(index, node, *body, place);
  std::vector<Type> inputs{Type::tensor(ElementType::int64), Type::tensor(ElementType::boolean)};
  for (std::size_t i = 2; i < node.inputs.size(); ++i)
    inputs.push_back(type_in_body(*body, i, without_shapes(input(index, node, i))));
  const bool makes_a_trip = certainly_makes_a_trip(index, node);
  const std::vector<Type> results = enter_with(index, node, node.bodies[0], inputs, place, makes_a_trip);
  const bool always_runs = std::exchange(always_runs_, always_runs_ && makes_a_trip);
  if (!results.empty()) expect_single(results[0], ElementType::boolean, "the cond that the body returns", place);
  always_runs_ = always_runs;
  const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  for (std::size_t i = 0; i < outputs.size() && i + 1 < results.size(); ++i) {
    if (i >= carried && !may_be_stacked(node, results[i + 1], place)) continue;
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

/// Scan from version 9 on. A trip that changes the element type of a state variable is reported. A run without a trip
/// returns the initial state, so for the final state only what the shapes before and after a trip have in common is
/// inferred. For a scan output, only the length of the scan axis is unknown.
/// Rule: onnx/model/operands-fit.
void Inference::infer_scan(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const Graph* body = body_graph(index, node);
  if (body == nullptr) return;
  const bool attributes_unknown = has_unresolved_attribute(node);
  ScanForm form;
  std::vector<Type> inputs;
  try {
    if (!attributes_unknown) form = scan_form(node, *body, attributes_of(call_));
    for (std::size_t i = 0; i < form.states + form.inputs.size(); ++i) {
      inputs.push_back(input(index, node, i));
      // Sentence: operators-scan-types.
      if (inputs.back().known() && !inputs.back().is_tensor()) {
        kernels::refuse(node, fmt::format("operand {} is {}; a tensor is required", i, kind_text(inputs.back())));
      }
      if (i >= form.states) inputs.back() = element_of(node, form, i - form.states, inputs.back());
    }
  } catch (const EvaluationError& error) {
    report_operands(place, error.what());
    form = {};
    inputs.clear();
  }
  const std::vector<Type> results = enter_with(index, node, node.bodies[0], inputs, place, false);
  if (form.inputs.empty()) return;  // unknown or wrong: a valid form has at least one scanned operand
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
    if (i < form.states && !agree_except_shape(results[i], inputs[i])) {
      report_operands(place, fmt::format("Scan: a trip changes the type of state variable {} from {} to {}", i,
                                         kind_text(inputs[i]), kind_text(results[i])));
      continue;
    }
    if (i >= form.states && !may_be_stacked(node, results[i], place)) continue;
    if (i < form.states) {
      outputs[i] = inputs[i].known() ? union_of(inputs[i], results[i]) : without_shapes(results[i]);
      continue;
    }
    outputs[i] = results[i];
    if (!outputs[i].shape) continue;
    const auto rank = static_cast<std::int64_t>(outputs[i].shape->size()) + 1;
    const std::int64_t axis = form.outputs[i - form.states].axis;
    if (axis < -rank || axis >= rank) {
      report_operands(place, fmt::format("Scan: scan_output_axes has {} for scan output {}, which has rank {}", axis,
                                         i - form.states, rank));
      outputs[i].shape.reset();
    } else {
      outputs[i].shape->insert(outputs[i].shape->begin() + (axis < 0 ? axis + rank : axis), Dim{});
    }
  }
}

/// Scan of version 8: only its form and the type of its lengths are checked ("Int64 tensor"). Nothing is inferred of
/// its body's inputs, or of its outputs.
void Inference::infer_scan_of_batches(GraphIndex index, const Node& node, const Place& place) {
  const Type& lengths = input(index, node, 0);
  if (lengths.known() &&
      (!lengths.is_tensor() || (lengths.element != ElementType::undefined && lengths.element != ElementType::int64)))
    report_operands(place,
                    fmt::format("Scan: the sequence lengths are {}; a tensor(int64) is required", to_string(lengths)));
  try {
    const Graph* body = body_graph(index, node);
    if (body != nullptr && !has_unresolved_attribute(node)) scan_form(node, *body, attributes_of(call_));
  } catch (const EvaluationError& error) {
    report_operands(place, error.what());
  }
  enter_with(index, node, node.bodies[0], {}, place, false);
}

/// The body gets one item of each sequence operand, and tensor operands whole. Outputs are sequences.
/// Rule: onnx/model/operands-fit.
void Inference::infer_sequence_map(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const Graph* body = body_graph(index, node);
  if (body == nullptr) return;
  expect_body_size(node, *body, node.inputs.size(), node.outputs.size(), place);
  const Type first = input(index, node, 0);
  if (first.known() && first.kind != Type::Kind::sequence) {
    report_operands(place, fmt::format("SequenceMap: operand 0 is {}; a sequence is required", kind_text(first)));
  }
  std::vector<Type> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Type type = input(index, node, i);
    inputs.push_back(type.kind == Type::Kind::sequence ? type.item.front() : std::move(type));
  }
  const std::vector<Type> results = enter_with(index, node, node.bodies[0], inputs, place, false);
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
    if (!results[i].known()) continue;
    if (!results[i].is_tensor())
      report_operands(place, fmt::format("SequenceMap: output {} of the body is {}; a tensor is required", i,
                                         kind_text(results[i])));
    outputs[i] = Type::sequence_of(without_shapes(results[i]));
  }
}

}  // namespace ifcert::inference
