// A graph, evaluated: its nodes in order, each by what its plan says. If is in if/evaluate_if.cpp, loops are in
// trips.cpp and scan.cpp; operators and calls are here.
#include <fmt/format.h>

#include <utility>

#include "evaluation/charges.hpp"
#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"
#include "operators/result.hpp"

namespace ifcert {
namespace {

/// The values of the node's operands; an operand that is left out is an empty value.
std::vector<Value> operands_of(const Node& node, const Frame& frame) {
  std::vector<Value> operands;
  operands.reserve(node.inputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) operands.push_back(operand(node, i, frame));
  return operands;
}

}  // namespace

void expect_bytes_fit(const Place& place, const Value& value) {
  if (const Tensor* tensor = value.tensor(); tensor != nullptr && !kernels::bytes_fit_shape(*tensor))
    fail(place, "a tensor does not have as many bytes as its shape needs");
  if (const Sequence* sequence = value.sequence()) {
    for (const Value& item : sequence->items) expect_bytes_fit(place, item);
  }
  if (const Optional* optional = value.optional()) expect_bytes_fit(place, optional->value);
}

// Rule: onnx/if/cond-source.
const Value& operand(const Node& node, std::size_t i, const Frame& frame) {
  static const Value none;
  return i < node.inputs.size() && node.inputs[i] != no_slot ? frame[node.inputs[i]] : none;
}

/// Evaluates a graph whose inputs and captures are in the frame; returns its outputs.
/// Rules: onnx/if/output-is-initializer, onnx/if/output-repeated, openvino/if/pass-through,
/// tflite/subgraph/constant-outputs.
std::vector<Value> Run::evaluate(GraphIndex index, Frame frame, const Call* call, const Place& place) {
  // The main graph has depth 1; below it, bodies may be nested as deep as nesting_limit.
  if (++depth_ > nesting_limit + 1) fail(place, fmt::format("graphs are nested more than {} deep", nesting_limit));
  const Graph& graph = prepared_.model.graphs[index];
  for (const Constant& constant : graph.constants) {
    if (frame[constant.slot].empty()) frame[constant.slot] = constant.value;
  }
  for (const Constant& constant : prepared_.folded[index]) frame[constant.slot] = constant.value;
  spend_frame(frame, place);
  SequenceCharges sequences;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Place here = place_of(graph, i, place);
    const NodeContext at{index, i, frame, call, here};
    evaluate_node(at);
    settle(at, sequences);
  }
  make_dense(graph.outputs, frame, place);
  std::vector<Value> outputs;
  outputs.reserve(graph.outputs.size());
  for (const Slot slot : graph.outputs) outputs.push_back(frame[slot]);
  --depth_;
  return outputs;
}

/// Evaluates a node by its plan: puts its results into the frame, in the slots of its outputs.
void Run::evaluate_node(const NodeContext& at) {
  const Node& node = node_of(at);
  spend_node(at.place);
  make_dense(node.inputs, at.frame, at.place);
  switch (prepared_.plans[at.graph][at.node].kind) {
    case NodePlan::Kind::kernel:
      return evaluate_kernel_or_delegate(at, node);
    case NodePlan::Kind::custom:
      return evaluate_custom(at, node);
    case NodePlan::Kind::delegated:
      return evaluate_delegated(at, node);
    case NodePlan::Kind::if_:
      return evaluate_if(at, node);
    case NodePlan::Kind::loop:
      return evaluate_loop(at, node);
    case NodePlan::Kind::while_:
      return evaluate_while(at, node);
    case NodePlan::Kind::scan:
      return evaluate_scan(at, node);
    case NodePlan::Kind::sequence_map:
      return evaluate_sequence_map(at, node);
    case NodePlan::Kind::call:
      return evaluate_call(at, node);
    case NodePlan::Kind::folded:
      return;
  }
}

/// An operator that the reference computes itself.
void Run::evaluate_kernel(const NodeContext& at, const Node& node) {
  const std::vector<Value> operands = operands_of(node, at.frame);
  std::vector<Value> results(node.outputs.size());
  const kernels::Operator& op = *prepared_.plans[at.graph][at.node].op;
  count_operands(operands, op.cost, at.place);
  with_place(at.place, [&] { op.evaluate(kernel_context(at, node, operands, op.cost), results); });
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != no_slot) at.frame[node.outputs[i]] = std::move(results[i]);
  }
}

/// An operator that the caller computes.
void Run::evaluate_custom(const NodeContext& at, const Node& node) {
  const std::vector<Value> inputs = operands_of(node, at.frame);
  Attributes resolved;
  const Attributes& attributes = *resolved_attributes(node, attributes_of(at.call), resolved);
  std::vector<Value> results;
  try {
    results = (*prepared_.plans[at.graph][at.node].custom)(node, attributes, inputs);
  } catch (const LimitExceeded& error) {
    fail(at.place, error);
  } catch (const EvaluationError& error) {
    fail(at.place, error.what(), error.missing_operator);
  }
  for (std::size_t i = 0; i < results.size(); ++i) expect_bytes_fit(at.place.numbered("output", i), results[i]);
  set_outputs(at, node, results, "the custom operator");
}

/// A call of a function of the model: the operands become the inputs of the function's graph. References in it to
/// attributes and graphs are resolved through the call.
/// Rule: onnx/if/in-function.
void Run::evaluate_call(const NodeContext& at, const Node& node) {
  const GraphIndex callee = node.bodies[0].graph;
  const Graph& graph = prepared_.model.graphs[callee];
  const Function* function = prepared_.functions[callee];
  if (node.inputs.size() > graph.inputs.size()) {
    fail(at.place, fmt::format("the call has {} inputs; the function has {}", node.inputs.size(), graph.inputs.size()));
  }
  Frame inner(graph.slots.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inner[graph.inputs[i]] = operand(node, i, at.frame);
  const Call call{CallAttributes(node, function, attributes_of(at.call)),
                  CallBodies(node, function, bodies_of(at.call)), &at.frame, at.call,
                  prepared_.trip_types.call_number(site_of(at))};
  std::vector<Value> results = evaluate(callee, std::move(inner), &call, at.place.named("function", graph.name));
  // A call may leave out trailing outputs.
  if (results.size() > node.outputs.size()) results.resize(node.outputs.size());
  set_outputs(at, node, results, "the function");
}

}  // namespace ifcert
