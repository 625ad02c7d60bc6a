// Loop, While and SequenceMap, which enter their bodies once per trip. Scan is in scan.cpp.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "evaluation/charges.hpp"
#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"
#include "evaluation/scan_output.hpp"

namespace ifcert {
namespace {

bool is_optional(const Graph& body, std::size_t input) {
  return body.slots[body.inputs[input]].declared.kind == Type::Kind::optional;
}

/// Wraps a bare value in an optional where the body declares that input optional. A trip may return the bare content:
/// the onnx package's own test_loop16_seq_none passes optional(seq(float)) and returns seq(float).
std::vector<Value> with_optionals(const Graph& body, std::vector<Value> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_optional(body, i) && values[i].optional() == nullptr) values[i] = Optional{type_of(values[i]), values[i]};
  }
  return values;
}

/// The item type of a sequence: that of the trips' results, or, if there was no trip, the inferred type. Fails unless
/// all results are tensors of one element type; their shapes may differ.
Type item_type(const Place& place, std::span<const Value> items, const Type& inferred) {
  Type item = inferred.is_tensor() ? Type::tensor(inferred.element) : inferred;
  for (const Value& value : items) {
    const Tensor* tensor = value.tensor();
    if (tensor == nullptr || (&value != items.data() && tensor->type != item.element)) {
      fail(place, fmt::format("a trip returns {}; every trip must return a tensor, all of the same element type",
                              to_string(type_of(value))));
    }
    item = Type::tensor(tensor->type);
  }
  return item;
}

}  // namespace

/// Collects the outputs of a trip (or batch). Kernels do not charge small results, but a loop may collect any number of
/// them.
void Run::collect(const NodeContext& at, std::span<Value> results, std::vector<Collected>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    with_place(at.place.numbered("output", node_of(at).outputs.size() - outputs.size() + i), [&] {
      meter_.charge(outputs[i].charge, uncharged_by_kernels(results[i]), [] { return "the result of one more trip"; });
    });
    outputs[i].values.push_back(std::move(results[i]));
  }
}

/// Loop (ONNX, "Loop"): the operands are the trip count M and cond, either of which may be left out, and the carried
/// values; the outputs are the carried values and the scan outputs. Even if cond is left out, the loop ends when the
/// body returns false. The specification is unclear about this: one passage says that the cond which the body returns
/// is then ignored (docs/doubts.md).
/// Rules: onnx/if/in-loop, onnx/if/loop-in-branch.
void Run::evaluate_loop(const NodeContext& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = graph_of(body);
  if (node.inputs.size() < 2 || graph.inputs.size() != node.inputs.size() ||
      graph.outputs.size() != node.outputs.size() + 1 || node.outputs.size() + 2 < node.inputs.size()) {
    fail(at.place,
         fmt::format("a body with {} inputs and {} outputs does not match a node with {} inputs and {} outputs",
                     graph.inputs.size(), graph.outputs.size(), node.inputs.size(), node.outputs.size()));
  }
  const std::size_t carried = node.inputs.size() - 2;
  const Tensor* limit = operand(node, 0, at.frame).tensor();
  expect_bytes_fit(at.place, operand(node, 0, at.frame));
  const bool is_single = limit != nullptr && limit->type == ElementType::int64 && limit->count() == 1;
  if (!operand(node, 0, at.frame).empty() && !is_single) fail(at.place, "the trip count must be a single int64");
  const std::int64_t trips =
      limit == nullptr ? std::numeric_limits<std::int64_t>::max() : limit->elements<std::int64_t>()[0];
  bool again = operand(node, 1, at.frame).empty() || truth_of(operand(node, 1, at.frame), at.place);
  const std::uint8_t yes = 1;
  std::vector<Value> values{
      {}, make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1})};  // trip, cond, carried values
  for (std::size_t i = 0; i < carried; ++i) values.push_back(operand(node, i + 2, at.frame));
  bool has_optionals = false;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) has_optionals = has_optionals || is_optional(graph, i);
  std::vector<Collected> scans(node.outputs.size() - carried);
  for (std::int64_t trip = 0; trip < trips && again; ++trip) {
    spend_node(at.place);
    values[0] = make_tensor<std::int64_t>(ElementType::int64, {}, {&trip, 1});
    std::vector<Value> wrapped;
    if (has_optionals) wrapped = with_optionals(graph, values);
    std::vector<Value> results = enter(at, body, has_optionals ? wrapped : values, trip);
    again = truth_of(results[0], at.place);
    for (std::size_t i = 0; i < carried; ++i) values[i + 2] = std::move(results[i + 1]);
    collect(at, std::span(results).subspan(1 + carried), scans);
  }
  for (std::size_t i = 0; i < scans.size(); ++i) {
    const Type& item = prepared_.trip_types.output(site_of(at), 1 + carried + i);
    values.push_back(with_place(at.place.numbered("output", carried + i),
                                [&] { return stack_trips(kernel_context(at, node), scans[i].values, item, 0); }));
  }
  set_outputs(at, node, std::span(values).subspan(2));
}

/// While (TensorFlow Lite).
/// Sentences: onert-while-cond, onert-while-body.
/// Rules: tflite/while/cond-before-body, tflite/while/zero-trips, tflite/while/body-feeds-next-trip,
/// tflite/while/growing-shape, tflite/while/no-state-between-runs.
void Run::evaluate_while(const NodeContext& at, const Node& node) {
  const Body& cond = node.bodies[0];
  const Body& body = node.bodies[1];
  std::vector<Value> variables;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) variables.push_back(operand(node, i, at.frame));
  for (const Body* each : {&cond, &body}) {
    if (graph_of(*each).inputs.size() == variables.size()) continue;
    fail(at.place, fmt::format("{} has {} inputs; there are {} loop variables", each->role,
                               graph_of(*each).inputs.size(), variables.size()));
  }
  for (std::int64_t trip = 0;; ++trip) {
    spend_node(at.place);
    const std::vector<Value> again = enter(at, cond, variables, trip);
    if (again.size() != 1) fail(at.place, fmt::format("{} returns {} outputs, not 1", cond.role, again.size()));
    if (!truth_of(again[0], at.place)) break;
    variables = enter(at, body, variables, trip);
    if (variables.size() != node.inputs.size())
      fail(at.place, fmt::format("{} returns {} outputs, not {}", body.role, variables.size(), node.inputs.size()));
  }
  set_outputs(at, node, variables);
}

/// SequenceMap (ONNX, "SequenceMap"): a trip for each item of the first operand. The body gets one item of each
/// sequence operand, and tensor operands whole.
/// Rule: onnx/if/in-sequence-map.
void Run::evaluate_sequence_map(const NodeContext& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = graph_of(body);
  const Sequence* first = operand(node, 0, at.frame).sequence();
  if (first == nullptr) fail(at.place, "operand 0 is not a sequence");
  if (graph.inputs.size() != node.inputs.size() || graph.outputs.size() != node.outputs.size()) {
    fail(at.place,
         fmt::format("a body with {} inputs and {} outputs does not match a node with {} inputs and {} outputs",
                     graph.inputs.size(), graph.outputs.size(), node.inputs.size(), node.outputs.size()));
  }
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Sequence* other = operand(node, i, at.frame).sequence();
    if (other == nullptr || other->items.size() == first->items.size()) continue;
    fail(at.place,
         fmt::format("operand {} has {} items; operand 0 has {}", i, other->items.size(), first->items.size()));
  }
  std::vector<Collected> items(node.outputs.size());
  std::vector<Value> values(node.inputs.size());
  for (std::size_t trip = 0; trip < first->items.size(); ++trip) {
    spend_node(at.place);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Value& whole = operand(node, i, at.frame);
      values[i] = whole.sequence() == nullptr ? whole : whole.sequence()->items[trip];
    }
    std::vector<Value> results = enter(at, body, values, static_cast<std::int64_t>(trip));
    collect(at, results, items);
  }
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Type item = item_type(at.place.numbered("output", i), items[i].values, prepared_.trip_types.output(site_of(at), i));
    sequences.emplace_back(Sequence{std::move(item), std::move(items[i].values)});
  }
  set_outputs(at, node, sequences);
}

}  // namespace ifcert
