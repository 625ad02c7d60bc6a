#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>
#include <ifcert/rules.hpp>
#include <optional>
#include <utility>

#include "folding.hpp"
#include "function_attributes.hpp"
#include "kernels/operands.hpp"
#include "kernels/operator.hpp"
#include "kernels/stack.hpp"
#include "operand_buffer.hpp"
#include "place.hpp"
#include "scan_form.hpp"
#include "scan_output.hpp"

namespace ifcert {
namespace {

using kernels::Operator;

/// How a node is evaluated.
struct Step {
  enum class Kind : std::uint8_t { kernel, custom, if_, loop, scan, sequence_map, call, folded };
  Kind kind = Kind::kernel;
  const Operator* op = nullptr;            // of a kernel
  const CustomOperator* custom = nullptr;  // the caller's
};

using Frame = std::vector<Value>;

/// What a function's nodes may refer to: the attributes and the graphs that its call gives, and the values around the
/// call.
struct Given {
  const Attributes* attributes;
  const Node* call;
  const Function* function;
  Frame* frame;
  const Given* outer;
};

const Attributes* attributes_of(const Given* given) {
  return given == nullptr ? nullptr : given->attributes;
}

[[noreturn]] void fail(const Place& place, std::string_view what, std::string missing = {}) {
  throw EvaluationError(fmt::format("{}: {}", to_string(place), what), std::move(missing));
}

/// What the job gives; where it refuses, the message gets the place.
template <class Job>
auto placed(const Place& place, Job job) {
  try {
    return job();
  } catch (const EvaluationError& error) {
    fail(place, error.what());
  } catch (const std::length_error& error) {
    fail(place, error.what());
  }
}

Place place_of(const Graph& graph, std::size_t node, const Place& outer) {
  return outer.node(graph.nodes[node].op, graph.nodes[node].name, node);
}

/// The one boolean that a condition is, whatever its rank.
bool truth_of(const Value& value, const Place& place) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || tensor->type != ElementType::boolean || tensor->count() != 1) {
    fail(place,
         fmt::format("cond is {}; a tensor(bool) with a single element is asked for", to_string(type_of(value))));
  }
  return tensor->elements<std::uint8_t>()[0] != 0;
}

}  // namespace

struct Program::Prepared {
  Model model;
  CustomOperators operators;
  std::vector<std::vector<Step>> steps;       // steps[graph][node]
  std::vector<std::vector<Constant>> folded;  // folded[graph]: what folded nodes would give
  std::vector<std::vector<Type>> types;       // what is known before the run; a body that is never entered needs it
  std::vector<const Function*> functions;     // by the number of their graph
};

namespace {

/// One run: the prepared model, and where the run reports.
class Run {
 public:
  Run(const Model& model, const std::vector<std::vector<Step>>& steps, const std::vector<std::vector<Constant>>& folded,
      const std::vector<std::vector<Type>>& types, const std::vector<const Function*>& functions,
      const BranchObserver& observer, std::uint64_t most_nodes)
      : model_(model),
        steps_(steps),
        folded_(folded),
        types_(types),
        functions_(functions),
        observer_(observer),
        most_nodes_(most_nodes),
        nodes_left_(most_nodes) {}

  std::vector<Value> evaluate(GraphIndex graph, Frame frame, const Given* given, const Place& place);

 private:
  /// Where a node stands while it is evaluated.
  struct At {
    GraphIndex graph;
    std::size_t node;
    Frame& frame;
    const Given* given;
    const Place& place;
  };

  void evaluate_node(const At& at);
  void spend_node(const Place& place);
  void evaluate_kernel(const At& at, const Node& node);
  void evaluate_custom(const At& at, const Node& node);
  void evaluate_if(const At& at, const Node& node);
  void evaluate_loop(const At& at, const Node& node);
  void evaluate_scan(const At& at, const Node& node);
  void evaluate_sequence_map(const At& at, const Node& node);
  void evaluate_call(const At& at, const Node& node);
  std::vector<Value> enter(const At& at, const Body& body, std::span<const Value> inputs);
  void give(const At& at, const Node& node, std::span<Value> results) const;

  const Model& model_;
  const std::vector<std::vector<Step>>& steps_;
  const std::vector<std::vector<Constant>>& folded_;
  const std::vector<std::vector<Type>>& types_;
  const std::vector<const Function*>& functions_;
  const BranchObserver& observer_;
  std::uint64_t most_nodes_;
  std::uint64_t nodes_left_;
  std::size_t depth_ = 0;
};

const Value& operand(const Node& node, std::size_t i, const Frame& frame) {
  static const Value none;
  return i < node.inputs.size() && node.inputs[i] != no_slot ? frame[node.inputs[i]] : none;
}

std::vector<Value> Run::evaluate(GraphIndex index, Frame frame, const Given* given, const Place& place) {
  if (++depth_ > nesting_limit + 1) fail(place, fmt::format("entered more than {} graphs deep", nesting_limit));
  const Graph& graph = model_.graphs[index];
  for (const Constant& constant : graph.constants) {
    if (frame[constant.slot].empty()) frame[constant.slot] = constant.value;
  }
  for (const Constant& constant : folded_[index]) frame[constant.slot] = constant.value;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    evaluate_node({index, i, frame, given, place_of(graph, i, place)});
  }
  std::vector<Value> outputs;
  outputs.reserve(graph.outputs.size());
  for (const Slot slot : graph.outputs) outputs.push_back(frame[slot]);
  --depth_;
  return outputs;
}

/// A trip counts as a node, so that an empty body is not free.
void Run::spend_node(const Place& place) {
  if (nodes_left_-- == 0) fail(place, fmt::format("the run evaluates more than {} nodes", most_nodes_));
}

void Run::evaluate_node(const At& at) {
  const Node& node = model_.graphs[at.graph].nodes[at.node];
  spend_node(at.place);
  switch (steps_[at.graph][at.node].kind) {
    case Step::Kind::kernel:
      return evaluate_kernel(at, node);
    case Step::Kind::custom:
      return evaluate_custom(at, node);
    case Step::Kind::if_:
      return evaluate_if(at, node);
    case Step::Kind::loop:
      return evaluate_loop(at, node);
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

/// If: the branch that cond names is evaluated, the other is not; what it gives is what the node gives.
void Run::evaluate_if(const At& at, const Node& node) {
  const bool cond = truth_of(operand(node, 0, at.frame), at.place);
  if (observer_) observer_(to_string(at.place), cond);
  std::vector<Value> results = enter(at, node.bodies[cond ? 0 : 1], {});
  give(at, node, results);
}

/// Evaluates a body on the values it captures and, where it has formal inputs, on `inputs`.
std::vector<Value> Run::enter(const At& at, const Body& body, std::span<const Value> inputs) {
  const Body* written = &body;
  Frame* around = &at.frame;
  const Given* given = at.given;
  while (!written->reference.empty()) {  // a graph that a call gives brings its own surroundings
    const Body* passed = given == nullptr ? nullptr : body_given(*given->call, given->function, written->reference);
    if (passed == nullptr) fail(at.place, fmt::format("the call gives no graph \"{}\"", written->reference));
    written = passed;
    around = given->frame;
    given = given->outer;
  }
  const Graph& graph = model_.graphs[written->graph];
  Frame inner(graph.slots.size());
  for (const Capture& capture : written->captures) inner[capture.inner] = (*around)[capture.outer];
  for (std::size_t i = 0; i < inputs.size(); ++i) inner[graph.inputs[i]] = inputs[i];
  return evaluate(written->graph, std::move(inner), given, at.place.word(body.role));
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
    steps_[at.graph][at.node].op->evaluate({node, inputs.all(), attributes_of(at.given)}, outputs.all());
  });
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != no_slot) at.frame[node.outputs[i]] = std::move(outputs[i]);
  }
}

void Run::evaluate_custom(const At& at, const Node& node) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(operand(node, i, at.frame));
  Attributes resolved;
  const Attributes& attributes = *attributes_given(node, nullptr, attributes_of(at.given), resolved);
  std::vector<Value> results;
  try {
    results = (*steps_[at.graph][at.node].custom)(node, attributes, inputs);
  } catch (const EvaluationError& error) {
    fail(at.place, error.what());
  }
  if (results.size() != node.outputs.size())
    fail(at.place,
         fmt::format("the caller's operator gives {} outputs, the node has {}", results.size(), node.outputs.size()));
  give(at, node, results);
}

void Run::evaluate_call(const At& at, const Node& node) {
  const Graph& function = model_.graphs[node.bodies[0].graph];
  if (node.inputs.size() > function.inputs.size()) {
    fail(at.place, fmt::format("the call has {} inputs, the function {}", node.inputs.size(), function.inputs.size()));
  }
  Frame inner(function.slots.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inner[function.inputs[i]] = operand(node, i, at.frame);
  Attributes resolved;
  const Function* callee = functions_[node.bodies[0].graph];
  const Given given{attributes_given(node, callee, attributes_of(at.given), resolved), &node, callee, &at.frame,
                    at.given};
  std::vector<Value> results =
      evaluate(node.bodies[0].graph, std::move(inner), &given, at.place.named("function", function.name));
  // A call may leave out the outputs at the end.
  if (results.size() > node.outputs.size()) results.resize(node.outputs.size());
  give(at, node, results);
}

/// Loop (ONNX, "Loop"): trip count M and cond, either of which may be left out; carried values; scan outputs.
void Run::evaluate_loop(const At& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = model_.graphs[body.graph];
  const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  if (node.inputs.size() < 2 || graph.inputs.size() != carried + 2 || graph.outputs.size() < carried + 1 ||
      graph.outputs.size() - 1 != node.outputs.size()) {
    fail(at.place, fmt::format("{} inputs and {} outputs do not fit a body of {} inputs and {} outputs",
                               node.inputs.size(), node.outputs.size(), graph.inputs.size(), graph.outputs.size()));
  }
  const Tensor* limit = operand(node, 0, at.frame).tensor();
  if (limit != nullptr && (limit->type != ElementType::int64 || limit->count() != 1))
    fail(at.place, "the trip count is not one int64");
  const std::int64_t trips =
      limit == nullptr ? std::numeric_limits<std::int64_t>::max() : limit->elements<std::int64_t>()[0];
  bool again = operand(node, 1, at.frame).empty() || truth_of(operand(node, 1, at.frame), at.place);
  const std::uint8_t yes = 1;
  std::vector<Value> values{
      {}, make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1})};  // trip, cond, carried values
  for (std::size_t i = 0; i < carried; ++i) values.push_back(operand(node, i + 2, at.frame));
  std::vector<std::vector<Value>> scans(node.outputs.size() - carried);
  for (std::int64_t trip = 0; trip < trips && again; ++trip) {
    spend_node(at.place);
    values[0] = make_tensor<std::int64_t>(ElementType::int64, {}, {&trip, 1});
    std::vector<Value> results = enter(at, body, values);
    again = truth_of(results[0], at.place);
    for (std::size_t i = 0; i < carried; ++i) values[i + 2] = std::move(results[i + 1]);
    for (std::size_t i = 0; i < scans.size(); ++i) scans[i].push_back(std::move(results[1 + carried + i]));
  }
  for (std::size_t i = 0; i < scans.size(); ++i) {
    const Type& item = types_[body.graph][graph.outputs[1 + carried + i]];
    values.push_back(
        placed(at.place.numbered("output", carried + i), [&] { return stack_trips(node, scans[i], item, 0); }));
  }
  give(at, node, std::span(values).subspan(2));
}

/// The operands that a Scan scans, and the number of trips, which is the length of each along its axis.
struct Scanned {
  std::vector<const Tensor*> tensors;
  std::vector<std::size_t> axes;
  std::int64_t length = 0;
};

Scanned scanned_operands(const Node& node, const ScanForm& form, const Frame& frame) {
  Scanned scanned;
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    const Value& value = operand(node, form.states + i, frame);
    const Tensor* tensor = value.tensor();
    if (tensor == nullptr) {
      kernels::refuse(node,
                      fmt::format("operand {} is {}, a tensor is asked", form.states + i, kind_of(type_of(value))));
    }
    scanned.tensors.push_back(tensor);
    scanned.axes.push_back(kernels::axis_from_front(node, form.inputs[i].axis, tensor->dims.size()));
    const std::int64_t length = tensor->dims[scanned.axes.back()];
    if (i > 0 && length != scanned.length) {
      kernels::refuse(node, fmt::format("operand {} has {} elements to scan, operand {} has {}", form.states + i,
                                        length, form.states, scanned.length));
    }
    scanned.length = length;
  }
  return scanned;
}

/// "All the output tensors […] are required to have the same shape in each iteration of the loop".
void expect_same_state(const Place& place, std::size_t i, const Value& before, const Value& after) {
  if (type_of(before) == type_of(after)) return;
  fail(place, fmt::format("a trip makes state variable {} {}, it was {}", i, to_string(type_of(after)),
                          to_string(type_of(before))));
}

/// Scan (ONNX, "Scan", version 9 and later): state variables from trip to trip, an element of each scanned operand a
/// trip, scan outputs.
void Run::evaluate_scan(const At& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = model_.graphs[body.graph];
  const ScanForm form = placed(at.place, [&] { return scan_form(node, graph, attributes_of(at.given)); });
  const Scanned scanned = placed(at.place, [&] { return scanned_operands(node, form, at.frame); });
  std::vector<Value> values;  // state variables, then elements
  for (std::size_t i = 0; i < form.states; ++i) values.push_back(operand(node, i, at.frame));
  values.resize(node.inputs.size());
  std::vector<std::vector<Value>> scans(form.outputs.size());
  for (std::int64_t trip = 0; trip < scanned.length; ++trip) {
    spend_node(at.place);
    for (std::size_t i = 0; i < scanned.tensors.size(); ++i) {
      const std::int64_t position = form.inputs[i].backward ? scanned.length - 1 - trip : trip;
      values[form.states + i] = placed(
          at.place, [&] { return kernels::element_along(node, *scanned.tensors[i], scanned.axes[i], position); });
    }
    std::vector<Value> results = enter(at, body, values);
    for (std::size_t i = 0; i < form.states; ++i) {
      expect_same_state(at.place, i, values[i], results[i]);
      values[i] = std::move(results[i]);
    }
    for (std::size_t i = 0; i < scans.size(); ++i) scans[i].push_back(std::move(results[form.states + i]));
  }
  values.resize(form.states);
  for (std::size_t i = 0; i < scans.size(); ++i) {
    if (form.outputs[i].backward) scans[i] = std::vector<Value>(scans[i].rbegin(), scans[i].rend());
    const Type& item = types_[body.graph][graph.outputs[form.states + i]];
    values.push_back(placed(at.place.numbered("output", form.states + i),
                            [&] { return stack_trips(node, scans[i], item, form.outputs[i].axis); }));
  }
  give(at, node, values);
}

/// The type of a sequence's items: what the trips gave, or what is known where there was none.
Type item_type(const Place& place, std::span<const Value> items, const Type& known) {
  Type item = known.is_tensor() ? Type::tensor(known.element) : known;
  for (const Value& value : items) {
    const Tensor* tensor = value.tensor();
    if (tensor == nullptr || (&value != items.data() && tensor->type != item.element)) {
      fail(place, fmt::format("a trip gives {}, tensors of one type are asked", to_string(type_of(value))));
    }
    item = Type::tensor(tensor->type);
  }
  return item;
}

/// SequenceMap (ONNX, "SequenceMap"): the body is run for each item of the first operand; of further operands a
/// sequence gives its item, a tensor is given whole.
void Run::evaluate_sequence_map(const At& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = model_.graphs[body.graph];
  const Sequence* first = operand(node, 0, at.frame).sequence();
  if (first == nullptr) fail(at.place, "operand 0 is no sequence");
  if (graph.inputs.size() != node.inputs.size() || graph.outputs.size() != node.outputs.size()) {
    fail(at.place, fmt::format("{} inputs and {} outputs do not fit a body of {} inputs and {} outputs",
                               node.inputs.size(), node.outputs.size(), graph.inputs.size(), graph.outputs.size()));
  }
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Sequence* other = operand(node, i, at.frame).sequence();
    if (other == nullptr || other->items.size() == first->items.size()) continue;
    fail(at.place,
         fmt::format("operand {} has {} items, operand 0 has {}", i, other->items.size(), first->items.size()));
  }
  std::vector<std::vector<Value>> items(node.outputs.size());
  std::vector<Value> values(node.inputs.size());
  for (std::size_t trip = 0; trip < first->items.size(); ++trip) {
    spend_node(at.place);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Value& given = operand(node, i, at.frame);
      values[i] = given.sequence() == nullptr ? given : given.sequence()->items[trip];
    }
    std::vector<Value> results = enter(at, body, values);
    for (std::size_t i = 0; i < items.size(); ++i) items[i].push_back(std::move(results[i]));
  }
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Type item = item_type(at.place.numbered("output", i), items[i], types_[body.graph][graph.outputs[i]]);
    sequences.emplace_back(Sequence{std::move(item), std::move(items[i])});
  }
  give(at, node, sequences);
}

/// How a node is evaluated that enters its body again and again; nullopt for any other. Scan-8 has another form.
std::optional<Step::Kind> repeating(const Node& node) {
  if (!node.domain.empty()) return std::nullopt;
  if (node.op == "Loop") return Step::Kind::loop;
  if (node.op == "Scan" && node.version >= 9) return Step::Kind::scan;
  if (node.op == "SequenceMap") return Step::Kind::sequence_map;
  return std::nullopt;
}

bool holds_sparse_tensor(const Node& node) {
  return std::ranges::any_of(node.attributes, [](const auto& entry) {
    const Type* type = std::get_if<Type>(&entry.second);
    return type != nullptr && type->kind == Type::Kind::sparse_tensor;
  });
}

/// An operator by its name: the reference's own, else the caller's.
Step operator_step(const Node& node, const CustomOperators& custom, const Place& place) {
  const Operator* op = node.domain.empty() ? kernels::find_onnx_operator(node.op, node.version) : nullptr;
  if (op != nullptr) return {Step::Kind::kernel, op};
  const std::string name = node.domain.empty() ? node.op : node.domain + "." + node.op;
  if (const auto found = custom.find(name); found != custom.end()) return {Step::Kind::custom, nullptr, &found->second};
  fail(place, fmt::format("the reference has no operator {} (opset {})", name, node.version), name);
}

Step step_of(const Node& node, const CustomOperators& custom, const Place& place) {
  if (node.call) return {Step::Kind::call};
  if (node.domain.empty() && node.op == "If") {
    if (node.bodies.size() != 2) fail(place, "If is evaluated with two branches");
    return {Step::Kind::if_};
  }
  if (const std::optional<Step::Kind> kind = repeating(node)) {
    if (node.bodies.size() != 1 || !node.bodies[0].reference.empty())
      fail(place, fmt::format("{} is evaluated with one body, a graph of its own", node.op));
    return {*kind};
  }
  if (holds_sparse_tensor(node)) fail(place, "the reference evaluates no sparse tensors", "sparse " + node.op);
  return operator_step(node, custom, place);
}

/// Looks up the operators of a graph and of the bodies in it; functions are prepared once, on their own.
void prepare(const Model& model, const CustomOperators& custom, GraphIndex index, const Place& place,
             std::vector<std::vector<Step>>& steps) {
  const Graph& graph = model.graphs[index];
  if (!graph.sparse_constants.empty()) {
    fail(place.named("sparse_initializer", graph.slots[graph.sparse_constants.front()].name),
         "the reference evaluates no sparse tensors", "sparse_initializer");
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const Place here = place_of(graph, i, place);
    steps[index].push_back(step_of(node, custom, here));
    for (const Body& body : node.bodies) {
      const bool own = body.reference.empty() && !(node.call && &body == node.bodies.data());
      if (own) prepare(model, custom, body.graph, here.word(body.role), steps);
    }
  }
}

/// Bytes that folding may copy, in all graphs together.
constexpr std::size_t folding_budget = std::size_t{64} << 20;

/// Takes the nodes out of a graph that constants decide, and of the bodies in it. `known` is what it captures of them.
void fold(const Model& model, GraphIndex index, std::vector<Value> known, std::vector<std::vector<Step>>& steps,
          std::vector<std::vector<Constant>>& constants, std::size_t& budget) {
  const Graph& graph = model.graphs[index];
  std::vector<const Operator*> operators;
  for (const Step& step : steps[index]) operators.push_back(step.op);
  Folded folded = fold_constants(graph, operators, std::move(known), budget);
  constants[index] = std::move(folded.constants);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (folded.nodes[i]) steps[index][i].kind = Step::Kind::folded;
    for (const Body& body : graph.nodes[i].bodies) {
      const bool own = body.reference.empty() && !(graph.nodes[i].call && &body == graph.nodes[i].bodies.data());
      if (!own) continue;
      std::vector<Value> captured(model.graphs[body.graph].slots.size());
      for (const Capture& capture : body.captures) captured[capture.inner] = folded.known[capture.outer];
      fold(model, body.graph, std::move(captured), steps, constants, budget);
    }
  }
}

/// Is the value one that the input's declared type allows?
void check_input(const Graph& graph, std::size_t i, const Value& value) {
  const SlotInfo& info = graph.slots[graph.inputs[i]];
  const Place place{.kind = Place::Kind::named, .what = "input", .name = info.name};
  const Type given = type_of(value);
  const auto refuse = [&] {
    fail(place, fmt::format("{} is given, {} is asked for", to_string(given), to_string(info.declared)));
  };
  if (info.declared.known() && kind_of(given) != kind_of(info.declared)) refuse();
  if (!info.declared.is_tensor() || !info.declared.shape) return;
  const bool fits = std::ranges::equal(*info.declared.shape, *given.shape, [](const Dim& declared, const Dim& dim) {
    return !declared.known() || declared == dim;
  });
  if (!fits) refuse();
}

}  // namespace

Program::Program(Model model, CustomOperators operators) {
  auto prepared = std::make_unique<Prepared>();
  prepared->operators = std::move(operators);
  prepared->model = std::move(model);
  const Model& whole = prepared->model;
  prepared->steps.resize(whole.graphs.size());
  prepare(whole, prepared->operators, 0, Place{.kind = Place::Kind::named, .what = "graph", .name = whole.main().name},
          prepared->steps);
  for (const Function& function : whole.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
    prepare(whole, prepared->operators, function.graph, place, prepared->steps);
    for (const Body& body : function.default_bodies)
      prepare(whole, prepared->operators, body.graph, place.word(body.role), prepared->steps);
  }
  prepared->folded.resize(whole.graphs.size());
  std::size_t budget = folding_budget;
  fold(whole, 0, std::vector<Value>(whole.main().slots.size()), prepared->steps, prepared->folded, budget);
  const auto repeats = [](const Step& step) {
    return step.kind == Step::Kind::loop || step.kind == Step::Kind::scan || step.kind == Step::Kind::sequence_map;
  };
  const bool repeated =
      std::ranges::any_of(prepared->steps, [&](const auto& steps) { return std::ranges::any_of(steps, repeats); });
  if (repeated) prepared->types = infer_types(whole);
  prepared->functions = functions_by_graph(whole);
  prepared_ = std::move(prepared);
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

const Model& Program::model() const {
  return prepared_->model;
}

std::vector<Value> Program::run(std::span<const Value> inputs, const BranchObserver& observer,
                                std::uint64_t most_nodes) const {
  const Graph& main = prepared_->model.main();
  if (inputs.size() != main.inputs.size()) {
    throw EvaluationError(fmt::format("{} inputs are given, the model has {}", inputs.size(), main.inputs.size()));
  }
  Frame frame(main.slots.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool has_default = std::ranges::find(main.constants, main.inputs[i], &Constant::slot) != main.constants.end();
    if (inputs[i].empty() && has_default) continue;
    if (inputs[i].empty())
      throw EvaluationError(fmt::format("input \"{}\" is not given", main.slots[main.inputs[i]].name));
    check_input(main, i, inputs[i]);
    frame[main.inputs[i]] = inputs[i];
  }
  Run run(prepared_->model, prepared_->steps, prepared_->folded, prepared_->types, prepared_->functions, observer,
          most_nodes);
  std::vector<Value> outputs =
      run.evaluate(0, std::move(frame), nullptr, Place{.kind = Place::Kind::named, .what = "graph", .name = main.name});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) throw EvaluationError(fmt::format("output {} was never made", i));
  }
  return outputs;
}

}  // namespace ifcert
