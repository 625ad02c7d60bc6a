// If, evaluated: its cond selects one branch, the branch is entered, and its outputs become the node's. This is the
// same in every format, but for the rank that cond may have. Loops use the functions below evaluate_if too; calls and
// custom operators use set_outputs.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"

namespace ifcert {
namespace {

/// "A scalar or 1D tensor with 1 element" in OpenVINO; the other formats leave the rank of cond open.
/// Sentence: if-8-cond.
std::size_t highest_cond_rank(Format format) {
  return format == Format::openvino ? 1 : std::numeric_limits<std::size_t>::max();
}

}  // namespace

/// The observer is told of each decision: traces and the pictures of runs show them.
/// Rules: onnx/if/then-when-true, onnx/if/else-when-false, onnx/if/only-taken-branch-runs,
/// onnx/if/constant-cond-same-result, openvino/if/then-when-true, openvino/if/else-when-false,
/// openvino/if/only-taken-body-runs, tflite/if/then-when-true, tflite/if/else-when-false,
/// tflite/if/only-taken-subgraph-runs.
void Run::evaluate_if(const NodeContext& at, const Node& node) {
  const bool cond = truth_of(operand(node, 0, at.frame), at.place);
  if (observer_) observer_({to_string(at.place), {at.graph, at.node}, cond});
  std::vector<Value> results = enter(at, node.bodies[cond ? 0 : 1], {});
  set_outputs(at, node, results);
}

/// Whether a cond is true: the cond of an If or a loop, or one that a body returns. Fails unless it is a single bool.
/// Rules: onnx/if/cond-single-element, onnx/if/cond-is-bool, openvino/if/cond-shape, openvino/if/cond-is-boolean,
/// tflite/if/cond-form, tflite/while/cond-output.
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

/// Evaluates a body in a new frame, which holds its captures and, if it has formal inputs, `inputs`. Returns its
/// outputs. `trip` is used only in messages.
/// Rules: onnx/if/outer-scope-capture, onnx/if/nesting, onnx/if/in-function, openvino/if/one-input-many-parameters,
/// openvino/if/nesting, tflite/if/no-state-between-runs, tflite/while/body-feeds-next-trip,
/// tflite/while/no-state-between-runs, tflite/subgraph/value-semantics, tflite/subgraph/value-unchanged,
/// tflite/nested/if-in-if, tflite/nested/if-in-while, tflite/nested/while-in-if, tflite/nested/while-in-while,
/// tflite/nested/deep.
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

/// Puts the results of a body, in order, into the slots of the node's outputs. Fails unless there is one for each
/// output. `source`, for messages, is what returned them.
/// Rules: onnx/if/output-count, onnx/if/output-order, onnx/if/shape-union, onnx/if/value-unchanged,
/// onnx/if/operand-positions, openvino/if/output-count, openvino/if/output-shape-may-be-undefined,
/// openvino/if/any-type, openvino/if/value-unchanged, openvino/if/dynamic-shape, tflite/if/outputs-positional,
/// tflite/if/shape-of-taken-subgraph, tflite/subgraph/value-semantics, tflite/subgraph/value-unchanged.
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

}  // namespace ifcert
