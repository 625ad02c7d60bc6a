#include "inference/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>
#include <limits>
#include <utility>

#include "budget.hpp"
#include "function_attributes.hpp"
#include "inference/inference_budget.hpp"
#include "inference/scan_form.hpp"
#include "kernels/operands.hpp"
#include "kernels/operator.hpp"
#include "node_place.hpp"
#include "out_of_memory.hpp"
#include "type_agreement.hpp"

namespace ifcert::inference {
namespace {

/// The type of what a Scan's body gets of an operand; refuses what is no tensor, or has no such axis.
Type element_of(const Node& node, Type type, std::int64_t axis) {
  if (type.known() && !type.is_tensor()) {
    kernels::refuse(node, fmt::format("a scanned operand is {}, a tensor is required", kind_of(type)));
  }
  if (!type.shape) return type;
  const std::size_t at = kernels::axis_from_front(node, axis, type.shape->size());
  type.shape->erase(type.shape->begin() + static_cast<std::ptrdiff_t>(at));
  return type;
}

/// What a function's nodes may refer to: the attributes that its call gives, and the graphs, written in the caller's
/// graph.
struct Given {
  GivenAttributes attributes;
  GivenBodies bodies;
  GraphIndex graph;
  const Given* outer;
  CallNumber number;
};

/// Of a function that is looked at without a call, and of the calls in it.
constexpr CallNumber uncalled = std::numeric_limits<CallNumber>::max();

/// A body as it is written, and the graph it is written in.
struct Written {
  const Body* body;
  GraphIndex graph;
  const Given* given;
};

const GivenAttributes* attributes_of(const Given* given) {
  return given == nullptr ? nullptr : &given->attributes;
}

/// Does the node enter a body again and again?
bool repeats(const Node& node) {
  if (node.call || !node.domain.empty()) return false;
  return node.op == "Loop" || node.op == "Scan" || node.op == "SequenceMap";
}

class Inference {
 public:
  Inference(const Model& model, Findings& findings, const VisitIf& visit, TripTypes* trips)
      : model_(model), findings_(findings), visit_(visit), trips_(trips), functions_(functions_by_graph(model)) {
    for (const Graph& graph : model.graphs) {
      types_.emplace_back(graph.slots.size());
      known_.emplace_back(graph.slots.size());
    }
  }

  std::vector<std::vector<Type>> run() {
    for (const Function& function : model_.functions) {
      const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
      runs_ = false;  // nothing says yet that it is called
      for (const Body& body : function.default_bodies) enter(0, body, place);
      const Given none{GivenAttributes(function), GivenBodies(nullptr, nullptr), 0, nullptr, uncalled};
      given_ = &none;
      infer_graph(function.graph, place);
      given_ = nullptr;
    }
    runs_ = true;
    infer_graph(0, Place{.kind = Place::Kind::named, .what = "graph", .name = model_.main().name});
    return std::move(types_);
  }

 private:
  void infer_graph(GraphIndex index, const Place& place);
  void infer_node(GraphIndex index, std::size_t number, const Place& place);
  void infer_if(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_loop(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_scan(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_sequence_map(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  std::vector<Type> enter_with(GraphIndex index, const Body& body, std::span<const Type> inputs, const Place& place,
                               bool runs);
  void infer_call(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  Value value_of_constant(const Node& node, const kernels::Operator& op);
  void report_misfit(const Place& place, const std::string& found);
  void infer_operator(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  std::optional<std::vector<Type>> enter(GraphIndex outer, const Body& body, const Place& place, bool runs = false);
  std::optional<bool> known_truth(GraphIndex index, const Node& node, std::size_t i) const;
  bool has_a_trip(GraphIndex index, const Node& node) const;
  std::optional<Written> find_written(GraphIndex graph, const Body& body) const;
  bool refers_to_nothing(const Node& node) const;
  void check_declared(std::string_view maker, const Type& declared, const Type& inferred, const Place& place);
  void set(GraphIndex index, Slot slot, Type type);
  Type input(GraphIndex index, const Node& node, std::size_t i) const {
    return i < node.inputs.size() && node.inputs[i] != no_slot ? types_[index][node.inputs[i]] : Type{};
  }
  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& expected) {
    findings_.report(rule, place, found, expected);
  }
  /// The format's name of a rule that both formats have.
  std::string_view rule_of(std::string_view onnx, std::string_view openvino) const {
    return model_.format == Format::openvino ? openvino : onnx;
  }
  std::string_view operands_fit() const { return rule_of("onnx/model/operands-fit", "openvino/ir/operands-fit"); }
  std::string_view shapes_fit() const { return rule_of("onnx/model/shapes-fit", "openvino/ir/shapes-fit"); }
  std::string_view declared_type_agrees() const {
    return rule_of("onnx/model/declared-type-agrees", "openvino/ir/declared-type-agrees");
  }
  CallNumber call_number() const { return given_ == nullptr ? 0 : given_->number; }
  CallNumber number_of_call(GraphIndex index, const Node& node);
  void record_trips(GraphIndex index, std::size_t number, const Place& place);
  void expect_body(const Node& node, const Place& place);

  const Model& model_;
  Findings& findings_;
  const VisitIf& visit_;
  TripTypes* trips_;  // nullptr where nobody asks for them
  std::vector<const Function*> functions_;
  std::vector<std::vector<Type>> types_;
  std::vector<std::vector<Value>> known_;  // values that are the same in every run
  std::map<std::pair<const AttributeValue*, std::string_view>, Value> constants_;  // by the attribute and its name
  std::vector<Type> operand_types_;  // of the operator at hand, as the values that are known of them
  std::vector<Value> operand_values_;
  const Given* given_ = nullptr;
  bool runs_ = true;  // what is looked at runs in every run of the model
  InferenceBudget budget_{model_.format};
  std::size_t depth_ = 0;
};

/// Records what is known of a slot; what the file declares fills the gaps.
void Inference::set(GraphIndex index, Slot slot, Type type) {
  if (slot == no_slot) return;
  types_[index][slot] = refine(std::move(type), model_.graphs[index].slots[slot].declared);
}

void Inference::infer_graph(GraphIndex index, const Place& place) {
  const Graph& graph = model_.graphs[index];
  if (++depth_ <= nesting_limit + 1) {
    std::vector<bool> is_input(graph.slots.size());
    for (const Slot slot : graph.inputs) {
      is_input[slot] = true;
      if (!types_[index][slot].known()) set(index, slot, {});
    }
    for (const Constant& constant : graph.constants) {
      const bool is_default = is_input[constant.slot];
      if (!is_default) known_[index][constant.slot] = constant.value;
      const Type type = type_of(constant.value);
      const SlotInfo& info = graph.slots[constant.slot];
      check_declared("the initializer", info.declared, type, place.named("initializer", info.name));
      // A default may be replaced by a value of another shape.
      set(index, constant.slot, is_default ? without_shape(type) : type);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Place here = place_of(graph, i, place);
      budget_.spend_node(graph.nodes[i], types_[index], here);
      naming_place(here, [&] { infer_node(index, i, here); });
    }
  }
  --depth_;
}

void Inference::infer_node(GraphIndex index, std::size_t number, const Place& place) {
  const Graph& graph = model_.graphs[index];
  const Node& node = graph.nodes[number];
  std::vector<Type> outputs(node.outputs.size());
  const bool own = node.domain.empty();
  const bool onnx = model_.format == Format::onnx;
  const std::string_view op = node.op;
  if (onnx && repeats(node)) expect_body(node, place);
  if (node.call) {
    infer_call(index, node, outputs, place);
  } else if (own && op == "If") {
    infer_if(index, node, outputs, place);
  } else if (own && onnx && op == "Loop") {
    infer_loop(index, node, outputs, place);
  } else if (own && onnx && op == "Scan" && node.version >= 9) {
    infer_scan(index, node, outputs, place);
  } else if (own && onnx && op == "SequenceMap") {
    infer_sequence_map(index, node, outputs, place);
  } else if (!node.bodies.empty()) {
    for (const Body& body : node.bodies) enter(index, body, place);
  } else {
    infer_operator(index, node, outputs, place);
  }
  record_trips(index, number, place);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == no_slot) continue;
    budget_.spend_type(outputs[i], place);
    expect_type_depth(outputs[i], place.numbered("output", i));
    // If's own rules say this of If.
    if (node.call || op != "If" || !own)
      check_declared(node.op, graph.slots[node.outputs[i]].declared, outputs[i], place.numbered("output", i));
    set(index, node.outputs[i], std::move(outputs[i]));
  }
}

CallNumber Inference::number_of_call(GraphIndex index, const Node& node) {
  if (trips_ == nullptr || call_number() == uncalled) return uncalled;
  const auto number = static_cast<std::size_t>(&node - model_.graphs[index].nodes.data());
  return trips_->number({call_number(), index, number});
}

/// "body : graph (required)", of each operator that repeats one.
void Inference::expect_body(const Node& node, const Place& place) {
  const auto bodies = std::ranges::count(node.bodies, "body", &Body::role);
  if (bodies == 1) return;
  report(operands_fit(), place,
         bodies == 0 ? fmt::format("{}: attribute body is missing", node.op)
                     : fmt::format("{}: attribute body has {} graphs; one is expected", node.op, bodies),
         "operands that the operator's own text allows");
}

/// A call costs a step; what is kept of each of them costs one for every part.
void Inference::record_trips(GraphIndex index, std::size_t number, const Place& place) {
  const Node& node = model_.graphs[index].nodes[number];
  if (trips_ == nullptr || call_number() == uncalled || node.bodies.size() != 1 || !repeats(node)) return;
  std::vector<Type> outputs;
  for (const Slot slot : model_.graphs[node.bodies[0].graph].outputs) {
    outputs.push_back(types_[node.bodies[0].graph][slot]);
    budget_.spend_steps(1 + parts_of(outputs.back()), place);
  }
  trips_->record({call_number(), index, number}, std::move(outputs));
}

void Inference::check_declared(std::string_view maker, const Type& declared, const Type& inferred, const Place& place) {
  if (agree(inferred, declared)) return;
  const bool shapes = same_kind(inferred, declared);
  report(declared_type_agrees(), place,
         fmt::format("declared as {}, but {} gives {}", shapes ? to_string(declared) : kind_of(declared), maker,
                     shapes ? to_string(inferred) : kind_of(inferred)),
         "the declared type is the value's type");
}

/// The body itself, or the graph that it refers to; nullopt where no call gives one.
std::optional<Written> Inference::find_written(GraphIndex graph, const Body& body) const {
  Written written{&body, graph, given_};
  while (!written.body->reference.empty()) {
    const Given* given = written.given;
    if (given == nullptr) return std::nullopt;
    const Body* passed = given->bodies.find(written.body->reference);
    if (passed == nullptr) return std::nullopt;
    written = {passed, given->graph, given->outer};
  }
  return written;
}

/// Hands the types of captured values in and returns the types of the body's outputs; nullopt where the body is not
/// known. `runs`: it is entered in every run of the node.
std::optional<std::vector<Type>> Inference::enter(GraphIndex outer, const Body& body, const Place& place, bool runs) {
  const auto written = find_written(outer, body);
  if (!written) return std::nullopt;
  const GraphIndex graph = written->body->graph;
  budget_.spend_parts(written->body->captures.size(), place);
  for (const Capture& capture : written->body->captures) {
    const Type& type = types_[written->graph][capture.outer];
    const SlotInfo& inner = model_.graphs[graph].slots[capture.inner];
    budget_.spend_type(type, place);
    check_declared("the graph around it", inner.declared, type, place.word(body.role).named("value", inner.name));
    known_[graph][capture.inner] = known_[written->graph][capture.outer];
    set(graph, capture.inner, type);
  }
  const Given* outside = std::exchange(given_, written->given);
  const bool around = std::exchange(runs_, runs_ && runs);
  infer_graph(graph, place.word(body.role));
  runs_ = around;
  given_ = outside;
  std::vector<Type> outputs;
  for (const Slot slot : model_.graphs[graph].outputs) outputs.push_back(types_[graph][slot]);
  return outputs;
}

void Inference::infer_if(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 2) return;
  const std::optional<bool> cond = known_truth(index, node, 0);
  auto then_outputs = enter(index, node.bodies[0], place, cond == true);
  auto else_outputs = enter(index, node.bodies[1], place, cond == false);
  if (!then_outputs || !else_outputs) return;
  const IfSite site{model_.graphs[index],    node, place, input(index, node, 0), std::move(*then_outputs),
                    std::move(*else_outputs)};
  if (visit_) visit_(site);
  for (std::size_t i = 0; i < outputs.size() && i < site.then_outputs.size() && i < site.else_outputs.size(); ++i) {
    outputs[i] = union_of(site.then_outputs[i], site.else_outputs[i]);
  }
}

/// Enters a body that has formal inputs; of those beyond `inputs` nothing is known.
std::vector<Type> Inference::enter_with(GraphIndex index, const Body& body, std::span<const Type> inputs,
                                        const Place& place, bool runs) {
  const Graph& graph = model_.graphs[body.graph];
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    types_[body.graph][graph.inputs[i]] = {};
    set(body.graph, graph.inputs[i], i < inputs.size() ? inputs[i] : Type{});
  }
  return enter(index, body, place, runs).value_or(std::vector<Type>());
}

/// The one boolean that an operand is in every run, if that is known.
std::optional<bool> Inference::known_truth(GraphIndex index, const Node& node, std::size_t i) const {
  if (i >= node.inputs.size() || node.inputs[i] == no_slot) return std::nullopt;
  const Tensor* tensor = known_[index][node.inputs[i]].tensor();
  if (tensor == nullptr || tensor->type != ElementType::boolean || !kernels::bytes_fit_shape(*tensor)) return {};
  return tensor->count() == 1 ? std::optional(tensor->elements<std::uint8_t>()[0] != 0) : std::nullopt;
}

/// Does a Loop enter its body in every run? A trip count and a cond that are left out set no end.
bool Inference::has_a_trip(GraphIndex index, const Node& node) const {
  const auto given = [&](std::size_t i) { return i < node.inputs.size() && node.inputs[i] != no_slot; };
  if (given(1) && known_truth(index, node, 1) != true) return false;
  if (!given(0)) return true;
  const Tensor* trips = known_[index][node.inputs[0]].tensor();
  const bool known = trips != nullptr && trips->type == ElementType::int64 && kernels::bytes_fit_shape(*trips);
  return known && trips->count() == 1 && trips->elements<std::int64_t>()[0] > 0;
}

/// The body sees the carried values in every trip, so only what no trip can change is certain: the element type.
void Inference::infer_loop(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  std::vector<Type> inputs{Type::tensor(ElementType::int64), Type::tensor(ElementType::boolean)};
  for (std::size_t i = 2; i < node.inputs.size(); ++i) inputs.push_back(without_shape(input(index, node, i)));
  const std::vector<Type> results = enter_with(index, node.bodies[0], inputs, place, has_a_trip(index, node));
  const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  for (std::size_t i = 0; i < outputs.size() && i + 1 < results.size(); ++i) {
    outputs[i] = without_shape(results[i + 1]);
    // A scan output stacks a tensor of every trip.
    if (i >= carried && results[i + 1].is_tensor() && results[i + 1].shape) {
      outputs[i].shape.emplace(1);
      outputs[i].shape->insert(outputs[i].shape->end(), results[i + 1].shape->begin(), results[i + 1].shape->end());
    }
  }
}

/// Element types, ranks and the dims beside the scanned axis are certain; state variables keep their shape.
void Inference::infer_scan(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  const bool attributes_unknown = refers_to_nothing(node);
  ScanForm form;
  std::vector<Type> inputs;
  try {
    if (!attributes_unknown) form = scan_form(node, model_.graphs[node.bodies[0].graph], attributes_of(given_));
    for (std::size_t i = 0; i < form.states + form.inputs.size(); ++i) {
      inputs.push_back(input(index, node, i));
      if (i >= form.states) inputs.back() = element_of(node, inputs.back(), form.inputs[i - form.states].axis);
    }
  } catch (const EvaluationError& error) {
    report(operands_fit(), place, error.what(), "operands that the operator's own text allows");
  }
  const std::vector<Type> results = enter_with(index, node.bodies[0], inputs, place, false);
  if (form.inputs.empty()) return;
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

/// Of a sequence an item goes in, of a tensor the whole; out come sequences.
void Inference::infer_sequence_map(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  if (node.bodies.size() != 1 || !node.bodies[0].reference.empty()) return;
  const Type first = input(index, node, 0);
  if (first.known() && first.kind != Type::Kind::sequence) {
    report(operands_fit(), place, fmt::format("SequenceMap: operand 0 is {}, a sequence is required", kind_of(first)),
           "operands that the operator's own text allows");
  }
  std::vector<Type> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Type type = input(index, node, i);
    inputs.push_back(type.kind == Type::Kind::sequence ? type.item.front() : std::move(type));
  }
  const std::vector<Type> results = enter_with(index, node.bodies[0], inputs, place, false);
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
    if (results[i].known()) outputs[i] = Type::sequence_of(without_shape(results[i]));
  }
}

void Inference::infer_call(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const GraphIndex callee = node.bodies[0].graph;
  const Graph& function = model_.graphs[callee];
  const Function* called = functions_[callee];
  budget_.spend_parts(4 * function.slots.size(), place);
  if (called != nullptr) {
    budget_.spend_attributes(called->defaults, place);
    budget_.spend_parts(called->default_bodies.size(), place);
  }
  budget_.spend_attributes(node.attributes, place);
  std::ranges::fill(types_[callee], Type{});
  std::ranges::fill(known_[callee], Value{});
  for (std::size_t i = 0; i < function.inputs.size(); ++i) set(callee, function.inputs[i], input(index, node, i));
  const Given given{GivenAttributes(node, called, attributes_of(given_)), GivenBodies(&node, called), index, given_,
                    number_of_call(index, node)};
  const Given* outside = std::exchange(given_, &given);
  infer_graph(callee, Place{.kind = Place::Kind::named, .what = "function", .name = function.name});
  given_ = outside;
  for (std::size_t i = 0; i < outputs.size() && i < function.outputs.size(); ++i) {
    outputs[i] = types_[callee][function.outputs[i]];
  }
}

/// Has the node an attribute that only a call could fill in, and none is known?
bool Inference::refers_to_nothing(const Node& node) const {
  return std::ranges::any_of(node.attributes, [&](const auto& entry) {
    const bool reference = std::holds_alternative<AttributeReference>(entry.second);
    return reference && kernels::find_attribute(node, entry.first, attributes_of(given_)) == nullptr;
  });
}

/// Many Constants may refer to one attribute, and a function may be called often: each attribute makes one value.
Value Inference::value_of_constant(const Node& node, const kernels::Operator& op) {
  const AttributeValue* only =
      node.attributes.size() == 1 ? kernels::find_attribute(node, node.attributes.begin()->first, attributes_of(given_))
                                  : nullptr;
  const std::string_view form = only == nullptr ? "" : std::string_view(node.attributes.begin()->first);
  const bool is_made = only != nullptr && !std::holds_alternative<Value>(*only);  // a tensor is handed on as it is
  if (is_made) {
    if (const auto made = constants_.find({only, form}); made != constants_.end()) return made->second;
  }
  Value value;
  op.evaluate({node, {}, attributes_of(given_)}, {&value, 1});
  if (is_made) constants_.emplace(std::pair(only, form), value);
  return value;
}

/// Where the node may never run, shapes that cannot fit do no harm: that is a warning.
void Inference::report_misfit(const Place& place, const std::string& found) {
  findings_.report(shapes_fit(), place, found, "shapes that the operator's own text lets fit",
                   runs_ ? Level::error : Level::warning);
}

void Inference::infer_operator(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const bool is_constant = model_.format == Format::onnx && node.domain.empty() &&
                           node.op == std::string_view("Constant") && outputs.size() == 1;
  if (is_constant) {
    if (const Type* sparse = kernels::find_attribute_of<Type>(node, "sparse_value", attributes_of(given_))) {
      outputs[0] = Type::tensor(sparse->element, sparse->shape);
      return;
    }
  }
  const kernels::Operator* op =
      node.domain.empty() ? kernels::find_operator(model_.format, node.op, node.version) : nullptr;
  if (op == nullptr || refers_to_nothing(node)) return;
  std::vector<Type>& types = operand_types_;
  std::vector<Value>& constants = operand_values_;
  types.clear();
  constants.clear();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    types.push_back(input(index, node, i));
    constants.push_back(node.inputs[i] == no_slot ? Value{} : known_[index][node.inputs[i]]);
  }
  try {
    if (is_constant && node.inputs.empty()) {
      const Value value = value_of_constant(node, *op);
      outputs[0] = type_of(value);
      if (node.outputs[0] != no_slot) known_[index][node.outputs[0]] = value;
      return;
    }
    std::string misfit;
    if (op->infer != nullptr) op->infer({node, types, constants, attributes_of(given_), &misfit}, outputs);
    if (!misfit.empty()) report_misfit(place, misfit);
  } catch (const EvaluationError& error) {
    report(operands_fit(), place, error.what(), "operands that the operator's own text allows");
  }
}

}  // namespace

Type IfSite::declared(std::size_t output) const {
  return output < node.outputs.size() && node.outputs[output] != no_slot ? graph.slots[node.outputs[output]].declared
                                                                         : Type{};
}

std::vector<std::vector<Type>> infer(const Model& model, Findings& findings, const VisitIf& visit, TripTypes* trips) {
  return Inference(model, findings, visit, trips).run();
}

}  // namespace ifcert::inference
