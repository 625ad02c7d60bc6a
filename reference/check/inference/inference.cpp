#include "check/inference/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ifcert/evaluate.hpp>
#include <ifcert/rules.hpp>
#include <tuple>
#include <utility>

#include "check/inference/walk.hpp"
#include "limits/budget.hpp"
#include "limits/out_of_memory.hpp"
#include "model/function_attributes.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "model/type_agreement.hpp"
#include "operators/operands.hpp"
#include "operators/operator.hpp"

namespace ifcert::inference {

Inferred Inference::run() {
  for (const Function& function : model_.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
    always_runs_ = false;  // the function may never be called
    // Default bodies are entered here, because without a call no reference leads to them. They capture nothing, so it
    // does not matter from which graph they are entered.
    for (const Body& body : function.default_bodies) {
      clear_types(body.graph);  // types left over if an earlier function called the one that this body belongs to
      enter(0, body, place);
    }
    // Without a call, references to the function's attributes and graphs stay unresolved, so that only what is true of
    // every call is reported.
    const Call without_call{
        .attributes = CallAttributes(), .bodies = CallBodies(), .scope = 0, .outer = nullptr, .number = unrecorded};
    call_ = &without_call;
    clear_types(function.graph);  // types left over if an earlier function called this one
    infer_graph(function.graph, place);
    call_ = nullptr;
  }
  always_runs_ = true;
  infer_graph(0, Place{.kind = Place::Kind::named, .what = "graph", .name = model_.main().name});
  return {std::move(types_), std::move(trip_types_)};
}

std::string_view Inference::operands_fit_rule() const {
  return rule_of("onnx/model/operands-fit", "openvino/ir/operands-fit");
}

std::string_view Inference::shapes_fit_rule() const {
  return rule_of("onnx/model/shapes-fit", "openvino/ir/shapes-fit");
}

std::string_view Inference::declared_type_agrees_rule() const {
  return rule_of("onnx/model/declared-type-agrees", "openvino/ir/declared-type-agrees");
}

/// Sets the type of a slot; where the inferred type is unknown, the type that the file declares completes it.
void Inference::set(GraphIndex index, Slot slot, Type type) {
  if (slot == no_slot) return;
  Type& stored = types_[index][slot];
  stored = std::move(type);
  const Type& declared = model_.graphs[index].slots[slot].declared;
  if (declared.known()) stored = refine(std::move(stored), declared);
}

/// The work of setting the type and the value of a constant's slot costs about as much as copying this many dimensions.
constexpr std::size_t parts_per_constant = 4;

/// Forgets the types and the known values of a graph's slots.
void Inference::clear_types(GraphIndex index) {
  std::ranges::fill(types_[index], Type{});
  std::ranges::fill(known_values_[index], Value{});
}

void Inference::infer_graph(GraphIndex index, const Place& place) {
  const Graph& graph = model_.graphs[index];
  budget_.spend_parts(graph.slots.size() + parts_per_constant * graph.constants.size(), place);
  open_graphs_.push_back(index);
  was_entered_[index] = true;
  // The readers limit how deep a file nests its bodies, but a chain of calls can be deeper than that. A run refuses
  // more than nesting_limit + 1 graphs inside each other, so deeper ones need no types.
  if (open_graphs_.size() > nesting_limit + 1) {
    clear_types(index);  // an earlier call may have entered it at a smaller depth, and left types here
  } else {
    std::vector<bool> is_input(graph.slots.size());
    for (const Slot slot : graph.inputs) {
      is_input[slot] = true;
      if (!types_[index][slot].known()) set(index, slot, graph.slots[slot].declared);
    }
    for (const Constant& constant : graph.constants) {
      const bool is_default = is_input[constant.slot];
      if (!is_default) known_values_[index][constant.slot] = constant.value;
      const Type type = type_of(constant.value);
      const SlotInfo& info = graph.slots[constant.slot];
      const bool declared_sparse =
          info.declared.kind == Type::Kind::sparse_tensor && constant.value.sparse() != nullptr;
      if (!declared_sparse)
        check_declared("the initializer", "has type", info.declared, type, place.named("initializer", info.name));
      // A run may override an input's default with a value of another shape.
      set(index, constant.slot, is_default ? without_shapes(type) : type);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Place here = place_of(graph, i, place);
      budget_.spend_node(graph.nodes[i], types_[index], here);
      naming_out_of_memory(here, [&] { infer_node(index, i, here); });
    }
  }
  open_graphs_.pop_back();
}

void Inference::infer_node(GraphIndex index, std::size_t node_index, const Place& place) {
  const Graph& graph = model_.graphs[index];
  const Node& node = graph.nodes[node_index];
  // In a function, an earlier call may have left values here. (It may have left types too, but these are set below.)
  for (const Slot slot : node.outputs) {
    if (slot != no_slot) known_values_[index][slot] = {};
  }
  Type single;  // saves the allocation for most nodes, which have one output
  std::vector<Type> several(node.outputs.size() == 1 ? 0 : node.outputs.size());
  const std::span<Type> outputs = node.outputs.size() == 1 ? std::span(&single, 1) : std::span(several);
  const NodeKind kind = node_kind(node, model_.format);
  const bool is_broken_loop = is_loop(kind) && !has_one_body(node, place);
  infer_outputs(is_broken_loop ? NodeKind::operation : kind, index, node, outputs, place);
  record_trip_types(index, node_index, place);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == no_slot) continue;
    budget_.spend_type(outputs[i], place);
    expect_type_depth(outputs[i], place.numbered("output", i));
    // For an If, the rules of If check the declared types.
    if (kind != NodeKind::if_)
      check_declared(node.op, "returns", graph.slots[node.outputs[i]].declared, outputs[i],
                     place.numbered("output", i));
    set(index, node.outputs[i], std::move(outputs[i]));
  }
}

void Inference::infer_outputs(NodeKind kind, GraphIndex index, const Node& node, std::span<Type> outputs,
                              const Place& place) {
  switch (kind) {
    case NodeKind::call:
      return infer_call(index, node, outputs, place);
    case NodeKind::if_:
      return infer_if(index, node, outputs, place);
    case NodeKind::loop:
      return infer_loop(index, node, outputs, place);
    case NodeKind::scan:
      if (node.version < 9) return infer_scan_of_batches(index, node, place);
      return infer_scan(index, node, outputs, place);
    case NodeKind::sequence_map:
      return infer_sequence_map(index, node, outputs, place);
    case NodeKind::while_:  // only in TensorFlow Lite, whose types are not inferred
    case NodeKind::operation:
      break;
  }
  if (node.bodies.empty()) return infer_operator(index, node, outputs, place);
  // An operator of another domain, or a loop without exactly one body: nothing is known of the inputs of its bodies, or
  // of its outputs.
  for (const Body& body : node.bodies) enter_with(index, node, body, {}, place, false);
}

CallNumber Inference::assign_call_number(GraphIndex index, const Node& node) {
  if (!has_loops_ || current_call_number() == unrecorded) return unrecorded;
  const auto node_index = static_cast<std::size_t>(&node - model_.graphs[index].nodes.data());
  return trip_types_.assign_call_number({current_call_number(), index, node_index});
}

/// `source` and `verb` are for the message: "Add", "returns".
/// Rules: onnx/model/declared-type-agrees, openvino/ir/declared-type-agrees.
void Inference::check_declared(std::string_view source, std::string_view verb, const Type& declared,
                               const Type& inferred, const Place& place) {
  if (agree(inferred, declared)) return;
  const bool only_shapes_differ = agree_except_shape(inferred, declared);
  report(declared_type_agrees_rule(), place,
         fmt::format("declared as {}, but {} {} {}", only_shapes_differ ? to_string(declared) : kind_text(declared),
                     source, verb, only_shapes_differ ? to_string(inferred) : kind_text(inferred)),
         "a declared type that agrees with the type of the value");
}

/// Infers a body: sets the types of its captures, and returns the types of its outputs; nullopt if the body
/// refers to a graph by name, and no call passes exactly one graph of that name. `always_entered`: every evaluation of
/// the node enters the body.
std::optional<std::vector<Type>> Inference::enter(GraphIndex outer, const Body& body, const Place& place,
                                                  bool always_entered) {
  const auto resolved = resolve_body(body, outer, call_);
  if (!resolved) return std::nullopt;
  const GraphIndex graph = resolved->body->graph;
  budget_.spend_parts(resolved->body->captures.size(), place);
  for (const Capture& capture : resolved->body->captures) {
    const Type& type = types_[resolved->scope][capture.outer];
    const SlotInfo& inner = model_.graphs[graph].slots[capture.inner];
    budget_.spend_captured_type(type, place);
    check_declared("the outer scope", "provides", inner.declared, type,
                   place.word(body.role).named("value", inner.name));
    known_values_[graph][capture.inner] = known_values_[resolved->scope][capture.outer];
    set(graph, capture.inner, type);
  }
  const Call* outer_call = std::exchange(call_, resolved->call);
  const bool outer_always_runs = std::exchange(always_runs_, always_runs_ && always_entered);
  infer_graph(graph, place.word(body.role));
  always_runs_ = outer_always_runs;
  call_ = outer_call;
  std::vector<Type> outputs;
  budget_.spend_parts(model_.graphs[graph].outputs.size(), place);
  for (const Slot slot : model_.graphs[graph].outputs) {
    budget_.spend_type(types_[graph][slot], place);
    outputs.push_back(types_[graph][slot]);
  }
  return outputs;
}

/// Enters a body of the node, with the types `inputs` for its formal inputs; the types of any further inputs are
/// unknown.
std::vector<Type> Inference::enter_with(GraphIndex index, const Node& node, const Body& body,
                                        std::span<const Type> inputs, const Place& place, bool always_entered) {
  const auto resolved = resolve_body(body, index, call_);
  if (!resolved) return {};
  const GraphIndex entered = resolved->body->graph;
  const Graph& graph = model_.graphs[entered];
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Type type = i < inputs.size() ? inputs[i] : Type{};
    const SlotInfo& input = graph.slots[graph.inputs[i]];
    check_declared(node.op, "passes", input.declared, type, place.word(body.role).named("input", input.name));
    set(entered, graph.inputs[i], type);
  }
  return enter(index, body, place, always_entered).value_or(std::vector<Type>());
}

/// The value of a boolean operand; nullopt unless it is known before a run.
std::optional<bool> Inference::known_truth(GraphIndex index, const Node& node, std::size_t i) const {
  if (i >= node.inputs.size() || node.inputs[i] == no_slot) return std::nullopt;
  const Tensor* tensor = known_values_[index][node.inputs[i]].tensor();
  if (tensor == nullptr || tensor->type != ElementType::boolean || !kernels::bytes_fit_shape(*tensor)) return {};
  return tensor->count() == 1 ? std::optional(tensor->elements<std::uint8_t>()[0] != 0) : std::nullopt;
}

/// Clearing the type and the value of a slot costs about as much as copying this many dimensions, and so does saving
/// them.
constexpr std::size_t parts_per_cleared_slot = 4;

/// Infers a call. The callee may already be open, even in a model without recursion: main calls f and passes it a graph
/// g that is written in main; f enters g; g calls f again, and passes it another graph or none. (f does not call
/// itself: only the graph that is passed to it calls f.) The inner call would overwrite the types of the function and
/// of the graphs in it, so the types of the function's graph, and of all graphs opened after it, are saved before the
/// call and put back after it.
void Inference::infer_call(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const auto last = std::find(open_graphs_.rbegin(), open_graphs_.rend(), node.bodies[0].graph);
  if (last == open_graphs_.rend()) return enter_function(index, node, outputs, place);
  const std::vector<GraphIndex> open(last.base() - 1, open_graphs_.end());
  std::vector<std::pair<std::vector<Type>, std::vector<Value>>> kept;
  for (const GraphIndex graph : open) {
    budget_.spend_parts(parts_per_cleared_slot * types_[graph].size(), place);
    for (const Type& type : types_[graph]) budget_.spend_type(type, place);
    kept.emplace_back(types_[graph], known_values_[graph]);
  }
  enter_function(index, node, outputs, place);
  for (std::size_t i = 0; i < open.size(); ++i) std::tie(types_[open[i]], known_values_[open[i]]) = std::move(kept[i]);
}

void Inference::enter_function(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const GraphIndex callee = node.bodies[0].graph;
  const Graph& graph = model_.graphs[callee];
  const Function* function = functions_[callee];
  budget_.spend_parts(parts_per_cleared_slot * graph.slots.size(), place);
  if (function != nullptr) {
    budget_.spend_attributes(function->defaults, place);
    budget_.spend_parts(function->default_bodies.size(), place);
  }
  budget_.spend_attributes(node.attributes, place);
  clear_types(callee);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const SlotInfo& declared = graph.slots[graph.inputs[i]];
    check_declared("the call", "passes", declared.declared, input(index, node, i),
                   place.named("function", graph.name).named("input", declared.name));
    set(callee, graph.inputs[i], input(index, node, i));
  }
  const Call call{CallAttributes(node, function, attributes_of(call_)), CallBodies(node, function, bodies_of(call_)),
                  index, call_, assign_call_number(index, node)};
  const auto passed_graphs = std::span(node.bodies).subspan(1);
  for (const Body& passed : passed_graphs) was_entered_[passed.graph] = false;
  const Call* outer_call = std::exchange(call_, &call);
  infer_graph(callee, Place{.kind = Place::Kind::named, .what = "function", .name = graph.name});
  call_ = outer_call;
  for (std::size_t i = 0; i < outputs.size() && i < graph.outputs.size(); ++i) {
    outputs[i] = types_[callee][graph.outputs[i]];
  }
  // The rules also apply to a graph that is passed to the function but that the function does not enter.
  for (const Body& passed : passed_graphs) {
    if (passed.reference.empty() && !was_entered_[passed.graph]) enter(index, passed, place);
  }
}

/// Whether an attribute of the node refers to an attribute of the function that has no value in this call.
bool Inference::has_unresolved_attribute(const Node& node) const {
  return std::ranges::any_of(node.attributes, [&](const auto& entry) {
    const bool reference = std::holds_alternative<AttributeReference>(entry.second);
    return reference && kernels::find_attribute(node, entry.first, attributes_of(call_)) == nullptr;
  });
}

/// Counts the lists in a node's attributes, which the operator may copy each time that the node is inferred.
void Inference::spend_attributes(const Node& node, const Place& place) {
  for (const auto& [name, own] : node.attributes) {
    if (const AttributeValue* value = kernels::find_attribute(node, name, attributes_of(call_)))
      budget_.spend_attribute(*value, place);
  }
}

/// The value of a Constant. Many Constants may refer to one attribute, and a function may be called often, so the
/// tensor made from `value_ints`, `value_string` and the like is cached by attribute.
Value Inference::value_of_constant(const Node& node, const kernels::Operator& op, const Place& place) {
  const AttributeValue* attribute =
      node.attributes.size() == 1 ? kernels::find_attribute(node, node.attributes.begin()->first, attributes_of(call_))
                                  : nullptr;
  const std::string_view name = attribute == nullptr ? "" : std::string_view(node.attributes.begin()->first);
  const Value* tensor_value = attribute == nullptr ? nullptr : std::get_if<Value>(attribute);
  // The operator would return the same value, but more slowly, and a model has many Constants of this kind.
  if (tensor_value != nullptr && tensor_value->tensor() != nullptr && name == "value") return *tensor_value;
  const bool is_cacheable = attribute != nullptr && tensor_value == nullptr;
  if (is_cacheable) {
    if (const auto cached = constant_cache_.find({attribute, name}); cached != constant_cache_.end())
      return cached->second;
  }
  spend_attributes(node, place);
  Value value;
  op.evaluate({node, {}, attributes_of(call_)}, {&value, 1});
  if (is_cacheable) constant_cache_.emplace(std::pair(attribute, name), value);
  return value;
}

/// Reports operands whose shapes do not fit: an error if the node is certain to run, otherwise a warning.
/// Rules: onnx/model/shapes-fit, openvino/ir/shapes-fit.
void Inference::report_misfit(const Place& place, const std::string& found) {
  findings_.report(shapes_fit_rule(), place, found, "shapes that the operator's specification allows",
                   always_runs_ ? Level::error : Level::warning);
}

// Rules: onnx/model/operands-fit, openvino/ir/operands-fit.
void Inference::infer_operator(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place) {
  const bool is_constant = model_.format == Format::onnx && node.domain.empty() &&
                           node.op == std::string_view("Constant") && outputs.size() == 1;
  // The reader has already reported inputs without an edge, whose types are unknown.
  if (model_.format == Format::openvino && std::ranges::count(node.inputs, no_slot) > 0) return;
  const kernels::Operator* op =
      node.domain.empty() ? kernels::find_operator(model_.format, node.op, node.version) : nullptr;
  if (op == nullptr || has_unresolved_attribute(node)) return;
  if (!is_constant) spend_attributes(node, place);
  std::vector<const Type*>& types = operand_types_;
  std::vector<Value>& values = operand_values_;
  types.clear();
  values.clear();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    types.push_back(&input(index, node, i));
    values.push_back(node.inputs[i] == no_slot ? Value{} : known_values_[index][node.inputs[i]]);
  }
  try {
    if (is_constant && node.inputs.empty()) {
      Value value = value_of_constant(node, *op, place);
      outputs[0] = type_of(value);
      if (node.outputs[0] != no_slot) known_values_[index][node.outputs[0]] = std::move(value);
      return;
    }
    std::string misfit;
    if (op->infer != nullptr) op->infer({node, types, values, attributes_of(call_), &misfit}, outputs);
    if (!misfit.empty()) report_misfit(place, misfit);
  } catch (const EvaluationError& error) {
    report_operands(place, error.what());
  }
}

namespace {

std::atomic<std::uint64_t> inferences = 0;

}  // namespace

Inferred infer(const Model& model, Findings& findings, const VisitIf& visit) {
  inferences.fetch_add(1, std::memory_order_relaxed);
  return Inference(model, findings, visit).run();
}

}  // namespace ifcert::inference

namespace ifcert {

std::uint64_t inference_count() {
  return inference::inferences.load(std::memory_order_relaxed);
}

}  // namespace ifcert
