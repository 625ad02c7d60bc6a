#include <fmt/format.h>

#include <utility>

#include "evaluation/operand_buffer.hpp"
#include "evaluation/run.hpp"
#include "kernels/result.hpp"

namespace ifcert {
namespace {

/// What a slot of a graph costs each time that the graph is entered, in steps of the meter.
constexpr std::uint64_t steps_of_a_slot = 10;

/// What the dims of a kernel's operands cost it, in steps of the meter.
std::uint64_t steps_of_dims(std::span<const Value> operands) {
  std::uint64_t dims = 0;
  for (const Value& value : operands) dims += value.tensor() == nullptr ? 0 : value.tensor()->dims.size();
  return dims * kernels::steps_of_a_dim;
}

}  // namespace

const GivenAttributes* attributes_of(const Given* given) {
  return given == nullptr ? nullptr : &given->attributes;
}

[[noreturn]] void fail(const Place& place, std::string_view what, std::string missing) {
  throw EvaluationError(fmt::format("{}: {}", to_string(place), what), std::move(missing));
}

void fail(const Place& place, const LimitExceeded& error) {
  throw LimitExceeded(error.limit, fmt::format("{}: {}", to_string(place), error.what()));
}

void fail(const Place& place, const std::bad_alloc& /*error*/) {
  throw OutOfMemory(fmt::format("{}: out of memory", to_string(place)));
}

/// The one boolean that a condition is, whatever its rank.
bool truth_of(const Value& value, const Place& place) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || tensor->type != ElementType::boolean || tensor->count() != 1) {
    fail(place, fmt::format("cond is {}; a tensor(bool) with a single element is required", to_string(type_of(value))));
  }
  return tensor->elements<std::uint8_t>()[0] != 0;
}

const Value& operand(const Node& node, std::size_t i, const Frame& frame) {
  static const Value none;
  return i < node.inputs.size() && node.inputs[i] != no_slot ? frame[node.inputs[i]] : none;
}

std::vector<Value> Run::evaluate(GraphIndex index, Frame frame, const Given* given, const Place& place) {
  if (++depth_ > nesting_limit + 1) fail(place, fmt::format("entered more than {} graphs deep", nesting_limit));
  const Graph& graph = prepared_.model.graphs[index];
  for (const Constant& constant : graph.constants) {
    if (frame[constant.slot].empty()) frame[constant.slot] = constant.value;
  }
  for (const Constant& constant : prepared_.folded[index]) frame[constant.slot] = constant.value;
  placed(place, [&] { meter_.work(frame.size() * steps_of_a_slot); });
  Charge sequences;  // what the lists of the frame's sequences take, until the frame goes
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Place here = place_of(graph, i, place);
    evaluate_node({index, i, frame, given, here});
    charge_sequences(graph.nodes[i], frame, here, sequences);
  }
  std::vector<Value> outputs;
  outputs.reserve(graph.outputs.size());
  for (const Slot slot : graph.outputs) outputs.push_back(frame[slot]);
  --depth_;
  return outputs;
}

/// A trip counts as a node, so that an empty body is not free.
void Run::spend_node(const Place& place) {
  placed(place, [&] { meter_.spend_node(); });
}

void Run::evaluate_node(const At& at) {
  const Node& node = node_of(at);
  spend_node(at.place);
  switch (prepared_.steps[at.graph][at.node].kind) {
    case Step::Kind::kernel:
      return evaluate_kernel(at, node);
    case Step::Kind::custom:
      return evaluate_custom(at, node);
    case Step::Kind::if_:
      expect_cond_rank(operand(node, 0, at.frame), at.place);
      return evaluate_if(at, node);
    case Step::Kind::loop:
      return evaluate_loop(at, node);
    case Step::Kind::while_:
      return evaluate_while(at, node);
    case Step::Kind::scan:
      return evaluate_scan(at, node);
    case Step::Kind::sequence_map:
      return evaluate_sequence_map(at, node);
    case Step::Kind::call:
      return evaluate_call(at, node);
    case Step::Kind::folded:
      return;
  }
}

/// "A scalar or 1D tensor with 1 element" (OpenVINO If-8, cond); what ONNX asks of cond leaves its rank open.
void Run::expect_cond_rank(const Value& cond, const Place& place) const {
  const bool limited = prepared_.model.format == Format::openvino && cond.tensor() != nullptr;
  if (!limited || cond.tensor()->dims.size() <= 1) return;
  fail(place, fmt::format("cond is {}; a scalar or a list of one element is required", to_string(type_of(cond))));
}

/// If: the branch that cond names is evaluated, the other is not; what it gives is what the node gives.
void Run::evaluate_if(const At& at, const Node& node) {
  const bool cond = truth_of(operand(node, 0, at.frame), at.place);
  if (observer_) observer_(to_string(at.place), cond);
  std::vector<Value> results = enter(at, node.bodies[cond ? 0 : 1], {});
  give(at, node, results);
}

/// Evaluates a body on the values it captures and, where it has formal inputs, on `inputs`.
std::vector<Value> Run::enter(const At& at, const Body& body, std::span<const Value> inputs,
                              std::optional<std::int64_t> trip) {
  const Body* written = &body;
  Frame* around = &at.frame;
  const Given* given = at.given;
  while (!written->reference.empty()) {  // a graph that a call gives brings its own surroundings
    const Body* passed = given == nullptr ? nullptr : given->bodies.find(written->reference);
    if (passed == nullptr) fail(at.place, fmt::format("the call gives no graph \"{}\"", written->reference));
    written = passed;
    around = given->frame;
    given = given->outer;
  }
  const Graph& graph = prepared_.model.graphs[written->graph];
  Frame inner(graph.slots.size());
  for (const Capture& capture : written->captures) inner[capture.inner] = (*around)[capture.outer];
  for (std::size_t i = 0; i < inputs.size(); ++i) inner[graph.inputs[i]] = inputs[i];
  return evaluate(written->graph, std::move(inner), given,
                  trip ? at.place.trip(body.role, *trip) : at.place.word(body.role));
}

/// The items are shared and counted by themselves; the list of a sequence is its own, however it came here.
void Run::charge_sequences(const Node& node, const Frame& frame, const Place& place, Charge& charge) {
  for (const Slot slot : node.outputs) {
    const Sequence* sequence = slot == no_slot ? nullptr : frame[slot].sequence();
    if (sequence == nullptr) continue;
    placed(place, [&] {
      meter_.charge(charge, sequence->items.size() * sizeof(Value),
                    [&] { return fmt::format("a sequence of {} items", sequence->items.size()); });
    });
  }
}

void Run::give(const At& at, const Node& node, std::span<Value> results) const {
  if (results.size() != node.outputs.size()) {
    fail(at.place, fmt::format("the body gives {} outputs, the node has {}", results.size(), node.outputs.size()));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].empty()) fail(at.place.numbered("output", i), "the value was never made");
    if (node.outputs[i] != no_slot) at.frame[node.outputs[i]] = std::move(results[i]);
  }
}

void Run::evaluate_kernel(const At& at, const Node& node) {
  OperandBuffer<8> inputs(node.inputs.size());
  OperandBuffer<4> outputs(node.outputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs[i] = operand(node, i, at.frame);
  placed(at.place, [&] {
    meter_.work(steps_of_dims(inputs.all()));
    prepared_.steps[at.graph][at.node].op->evaluate({node, inputs.all(), attributes_of(at.given), &meter_},
                                                    outputs.all());
  });
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != no_slot) at.frame[node.outputs[i]] = std::move(outputs[i]);
  }
}

void Run::evaluate_custom(const At& at, const Node& node) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(operand(node, i, at.frame));
  Attributes resolved;
  const Attributes& attributes = *resolved_attributes(node, attributes_of(at.given), resolved);
  std::vector<Value> results;
  try {
    results = (*prepared_.steps[at.graph][at.node].custom)(node, attributes, inputs);
  } catch (const EvaluationError& error) {
    fail(at.place, error.what());
  }
  if (results.size() != node.outputs.size())
    fail(at.place,
         fmt::format("the caller's operator gives {} outputs, the node has {}", results.size(), node.outputs.size()));
  give(at, node, results);
}

void Run::evaluate_call(const At& at, const Node& node) {
  const Graph& function = prepared_.model.graphs[node.bodies[0].graph];
  if (node.inputs.size() > function.inputs.size()) {
    fail(at.place, fmt::format("the call has {} inputs, the function {}", node.inputs.size(), function.inputs.size()));
  }
  Frame inner(function.slots.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inner[function.inputs[i]] = operand(node, i, at.frame);
  const Function* callee = prepared_.functions[node.bodies[0].graph];
  const Given given{GivenAttributes(node, callee, attributes_of(at.given)), GivenBodies(&node, callee), &at.frame,
                    at.given, prepared_.trips.find(site_of(at))};
  std::vector<Value> results =
      evaluate(node.bodies[0].graph, std::move(inner), &given, at.place.named("function", function.name));
  // A call may leave out the outputs at the end.
  if (results.size() > node.outputs.size()) results.resize(node.outputs.size());
  give(at, node, results);
}

}  // namespace ifcert
