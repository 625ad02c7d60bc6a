#include <fmt/format.h>

#include <limits>
#include <utility>

#include "evaluation/charges.hpp"
#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"
#include "operators/operands.hpp"
#include "operators/result.hpp"
#include "operators/sparse.hpp"

namespace ifcert {
namespace {

/// The work of entering a graph, for each of its slots, in the meter's steps.
constexpr std::uint64_t steps_per_slot = 10;

/// The work of a kernel on the dims of its operands, in the meter's steps.
std::uint64_t steps_of_dims(std::span<const Value> operands) {
  std::uint64_t dims = 0;
  for (const Value& value : operands) dims += value.tensor() == nullptr ? 0 : value.tensor()->dims.size();
  return dims * kernels::steps_per_dim;
}

/// The values of the node's operands; an operand that is left out is an empty value.
std::vector<Value> operands_of(const Node& node, const Frame& frame) {
  std::vector<Value> operands;
  operands.reserve(node.inputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) operands.push_back(operand(node, i, frame));
  return operands;
}

/// "A scalar or 1D tensor with 1 element" (OpenVINO If-8, cond); the other formats leave the rank of cond open.
std::size_t highest_cond_rank(Format format) {
  return format == Format::openvino ? 1 : std::numeric_limits<std::size_t>::max();
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

/// Whether a cond is true: the cond of an If or a loop, or one that a body returns. Fails unless it is a single bool.
bool Run::truth_of(const Value& value, const Place& place) const {
  const Tensor* tensor = value.tensor();
  if (tensor != nullptr && tensor->dims.size() > highest_cond_rank(prepared_.model.format)) {
    fail(place,
         fmt::format("cond is {}; a scalar or a 1-D tensor with one element is required", to_string(type_of(value))));
  }
  expect_bytes_fit(place, value);  // a constant of a model that was built in memory may lack its bytes
  if (tensor == nullptr || tensor->type != ElementType::boolean || tensor->count() != 1) {
    fail(place, fmt::format("cond is {}; a tensor(bool) with a single element is required", to_string(type_of(value))));
  }
  return tensor->elements<std::uint8_t>()[0] != 0;
}

const Value& operand(const Node& node, std::size_t i, const Frame& frame) {
  static const Value none;
  return i < node.inputs.size() && node.inputs[i] != no_slot ? frame[node.inputs[i]] : none;
}

std::vector<Value> Run::evaluate(GraphIndex index, Frame frame, const Call* call, const Place& place) {
  // The main graph has depth 1; below it, bodies may be nested as deep as nesting_limit.
  if (++depth_ > nesting_limit + 1) fail(place, fmt::format("graphs are nested more than {} deep", nesting_limit));
  const Graph& graph = prepared_.model.graphs[index];
  for (const Constant& constant : graph.constants) {
    if (frame[constant.slot].empty()) frame[constant.slot] = constant.value;
  }
  for (const Constant& constant : prepared_.folded[index]) frame[constant.slot] = constant.value;
  with_place(place, [&] { meter_.spend_steps(frame.size() * steps_per_slot); });
  SequenceCharges sequences;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Place here = place_of(graph, i, place);
    evaluate_node({index, i, frame, call, here});
    charge_sequences(graph.nodes[i], frame, here, meter_, sequences);
    for (const Slot slot : prepared_.plans[index][i].last_read) {  // the next node can use this memory
      frame[slot] = {};
      sequences.erase(slot);
    }
  }
  make_dense(graph.outputs, frame, place);
  std::vector<Value> outputs;
  outputs.reserve(graph.outputs.size());
  for (const Slot slot : graph.outputs) outputs.push_back(frame[slot]);
  --depth_;
  return outputs;
}

/// Counts one node evaluation. A trip of a loop, a test of a While and a batch of a Scan count as one too, so that even
/// a loop with an empty body reaches the limit, RunLimits::nodes.
void Run::spend_node(const Place& place) {
  with_place(place, [&] { meter_.spend_node(); });
}

/// Replaces constants in sparse form by tensors, which the run makes once and keeps.
void Run::make_dense(const std::vector<Slot>& slots, Frame& frame, const Place& place) {
  for (const Slot slot : slots) {
    const SparseTensor* sparse = slot == no_slot ? nullptr : frame[slot].sparse();
    if (sparse == nullptr) continue;
    Value& dense = dense_[sparse];
    if (dense.empty()) {
      Node reader;
      reader.op = "a sparse constant";
      dense = with_place(place, [&] { return kernels::dense_form({reader, {}, nullptr, &meter_}, *sparse); });
    }
    frame[slot] = dense;
  }
}

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

/// Evaluates only the branch that cond selects; the branch's outputs become the node's.
void Run::evaluate_if(const NodeContext& at, const Node& node) {
  const bool cond = truth_of(operand(node, 0, at.frame), at.place);
  if (observer_) observer_(to_string(at.place), cond);
  std::vector<Value> results = enter(at, node.bodies[cond ? 0 : 1], {});
  set_outputs(at, node, results);
}

/// Evaluates a body on its captures and, if it has formal inputs, on `inputs`. `trip` is used only in messages.
std::vector<Value> Run::enter(const NodeContext& at, const Body& body, std::span<const Value> inputs,
                              std::optional<std::int64_t> trip) {
  // A graph that a call passes to a function captures values of the caller's frame, not of the function's.
  const auto resolved = resolve_body(body, &at.frame, at.call);
  if (!resolved) fail(at.place, fmt::format("the call does not pass a graph \"{}\"", body.reference));
  const GraphIndex index = resolved->body->graph;
  const Graph& graph = prepared_.model.graphs[index];
  Frame inner(graph.slots.size());
  for (const Capture& capture : resolved->body->captures) inner[capture.inner] = (*resolved->scope)[capture.outer];
  for (std::size_t i = 0; i < inputs.size(); ++i) inner[graph.inputs[i]] = inputs[i];
  return evaluate(index, std::move(inner), resolved->call,
                  trip ? at.place.trip(body.role, *trip) : at.place.word(body.role));
}

void Run::set_outputs(const NodeContext& at, const Node& node, std::span<Value> results,
                      std::string_view source) const {
  if (results.size() != node.outputs.size()) {
    fail(at.place, fmt::format("{} returns {} outputs; the node has {}", source, results.size(), node.outputs.size()));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (node.outputs[i] == no_slot) continue;
    if (results[i].empty())
      fail(
          at.place.numbered("output", i),
          fmt::format("has no value: {} returns an input that was left out, or a value that nothing computes", source));
    at.frame[node.outputs[i]] = std::move(results[i]);
  }
}

void Run::evaluate_kernel(const NodeContext& at, const Node& node) {
  const std::vector<Value> operands = operands_of(node, at.frame);
  std::vector<Value> results(node.outputs.size());
  with_place(at.place, [&] {
    meter_.spend_steps(steps_of_dims(operands));
    prepared_.plans[at.graph][at.node].op->evaluate({node, operands, attributes_of(at.call), &meter_}, results);
  });
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != no_slot) at.frame[node.outputs[i]] = std::move(results[i]);
  }
}

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
