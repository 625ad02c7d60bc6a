// ONNX's graph form → TensorFlow Lite's: bodies become subgraphs, which have no captures. A capture of a branch becomes
// an operand of the If and an input of both subgraphs, a capture of a loop a loop variable that does not change; a
// value that is the same in every run becomes a constant of the subgraph.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "convert/from_onnx.hpp"
#include "convert/tflite_operators.hpp"
#include "formats/tflite/types.hpp"
#include "model/node_kind.hpp"

namespace ifcert::translation {
namespace {

constexpr int version_of_operators = 1;

const Type one_bool = Type::tensor(ElementType::boolean, Shape{});
const Type one_int64 = Type::tensor(ElementType::int64, Shape{});

/// A loop variable of a While.
struct Variable {
  std::string name;
  Type type;
  Slot initial;
};

/// An ONNX Loop while it is translated. The variables of the While are the trip and the cond, the carried values, the
/// elements of each scan output so far, the trip count (where only a run computes it), and the captures of the body.
struct LoopForm {
  const Node& node;
  const Graph& body;
  std::vector<Variable> variables;
  std::size_t carried = 0;
  std::vector<Slot> captured;                       // of the graph around the loop
  Value count;                                      // the trip count, where it is the same in every run
  std::optional<std::size_t> limit = std::nullopt;  // the variable that is the trip count
};

class OnnxToTflite final : public FromOnnx {
 public:
  OnnxToTflite(const Model& from, const SlotTypes& types)
      : FromOnnx(from, types, Format::tflite, tflite::schema_version) {}

 private:
  Type type_of_slot(GraphIndex index, Slot slot, const Place& place) const override;
  void translate_operator(const Translated& graph, const Node& node, const Place& place) override;
  void translate_if(const Translated& graph, const Node& node, const Place& place) override;
  Slot copy_of(Slot slot, Graph& to, const Place& place) const override;
  GraphIndex reserve(const std::string& name, Graph& graph) override;
  Body translate_branch(GraphIndex outer_graph, const Body& branch, const std::vector<Slot>& captured,
                        const Scope& scope, const Place& place);
  void translate_loop(const Translated& graph, const Node& node, const Place& place);
  LoopForm loop_form(const Translated& graph, const Node& node, const Place& place);
  void add_inputs(const LoopForm& loop, Graph& to, const Place& place);
  GraphIndex translate_loop_cond(const LoopForm& loop, const Place& place);
  GraphIndex translate_loop_body(const LoopForm& loop, const Scope& scope, const Place& place);
};

Slot add_constant(Graph& to, const std::string& name, const Value& value) {
  const Slot slot = to.add_slot(name, type_of(value));
  to.constants.push_back({slot, value});
  return slot;
}

Value truth() {
  return scalar_of(ElementType::boolean, 1);
}

/// A scan output before the first trip: no elements of that type.
Value no_elements(const Type& each, const Place& place) {
  if (!each.shape || !std::ranges::all_of(*each.shape, &Dim::known))
    refuse(place, "a scan output whose elements have an unknown shape has no counterpart");
  Dims dims{0};
  for (const Dim& dim : *each.shape) dims.push_back(dim.value);
  if (each.element == ElementType::string) return make_strings(dims, {});
  return Tensor{each.element, dims, {}, {}};
}

/// The values that the bodies capture, each once, without those that are the same in every run.
std::vector<Slot> captured_by(const std::vector<Body>& bodies, const Scope& scope) {
  std::vector<Slot> captured;
  std::unordered_set<Slot> listed;
  for (const Body& body : bodies) {
    for (const Capture& capture : body.captures) {
      if (scope[capture.outer].value.empty() && listed.insert(capture.outer).second) captured.push_back(capture.outer);
    }
  }
  return captured;
}

/// Defines the captures of a body: `captured` become the inputs of its graph from `first` on, others constants.
void define_captures(const Body& body, const std::vector<Slot>& captured, std::size_t first, const Scope& outer_scope,
                     const Graph& from, const Translated& inside, WrittenLimits& limits, const Place& place) {
  Graph& to = inside.to;
  std::unordered_map<Slot, Slot> inputs;
  for (std::size_t i = 0; i < captured.size(); ++i) inputs.emplace(captured[i], to.inputs[first + i]);
  for (const Capture& capture : body.captures) {
    const TranslationSite::Facts& outer = outer_scope[capture.outer];
    const bool is_constant = !outer.value.empty();
    const Slot slot =
        is_constant ? add_constant(to, from.slots[capture.inner].name, outer.value) : inputs.at(capture.outer);
    if (is_constant) limits.add_captured(to.slots[slot], place);
    inside.scope[capture.inner] = {slot, outer.type, outer.value};
  }
}

GraphIndex OnnxToTflite::reserve(const std::string& name, Graph& graph) {
  const GraphIndex index = FromOnnx::reserve(name, graph);
  graph.subgraph = index;
  return index;
}

Type OnnxToTflite::type_of_slot(GraphIndex index, Slot slot, const Place& place) const {
  const std::string& name = from_.graphs[index].slots[slot].name;
  Type type = known_type(index, slot);
  if (type.known() && !type.is_tensor())
    refuse(place.named("value", name), fmt::format("TensorFlow Lite has only tensors; this is {}", kind_text(type)));
  if (type.element == ElementType::undefined)
    refuse(place.named("value", name), "an element type that is known only in a run has no counterpart");
  if (!tflite::tensor_type_of(type.element))
    refuse(place.named("value", name), fmt::format("TensorFlow Lite has no element type {}", name_of(type.element)));
  return type;
}

void OnnxToTflite::translate_operator(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  if (node_kind(node, Format::onnx) == NodeKind::loop) return translate_loop(graph, node, place);
  const TfliteRow* row = tflite_row_of_node(node.op, node.version);
  if (row == nullptr) refuse(place, fmt::format("{} of this opset is not in the table of operators", node.op));
  for (const Slot slot : node.outputs) {
    if (slot == no_slot) refuse(place, "a result that is left out has no counterpart");
    define(graph, slot, place);
  }
  std::vector<Slot> results;
  for (const Slot slot : node.outputs) results.push_back(scope[slot].slot);
  TranslationSite site(node, operands_of(node, scope), std::move(results), to, Format::tflite, version_of_operators,
                       place, growth_);
  row->to_operators(*row, site);
}

void OnnxToTflite::translate_if(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  Node made;
  made.op = "If";
  made.version = version_of_operators;
  made.inputs = {scope[node.inputs.front()].slot};
  const std::vector<Slot> captured = captured_by(node.bodies, scope);
  for (const Slot slot : captured) made.inputs.push_back(scope[slot].slot);
  for (const Body& branch : node.bodies) made.bodies.push_back(translate_branch(index, branch, captured, scope, place));
  add_if(graph, node, std::move(made), place);
}

Body OnnxToTflite::translate_branch(GraphIndex outer_graph, const Body& branch, const std::vector<Slot>& captured,
                                    const Scope& scope, const Place& place) {
  const Graph& from = from_.graphs[branch.graph];
  const Place here = place.word(branch.role);
  const std::string role = branch.role == "then_branch" ? "then_subgraph" : "else_subgraph";
  Graph to;
  Body body{role, reserve(from.name.empty() ? role : from.name, to), {}, {}};
  for (const Slot slot : captured) {
    to.inputs.push_back(to.add_slot(from_.graphs[outer_graph].slots[slot].name, type_of_slot(outer_graph, slot, here)));
    limits_.add_captured(to.slots.back(), here);
    body.captures.push_back({scope[slot].slot, to.inputs.back()});
  }
  Scope inside(from.slots.size());
  define_captures(branch, captured, 0, scope, from, {branch.graph, to, inside}, limits_, here);
  translate_graph({branch.graph, to, inside}, here);
  for (const Slot slot : from.outputs) to.outputs.push_back(inside[slot].slot);
  to_.graphs[body.graph] = std::move(to);
  return body;
}

LoopForm OnnxToTflite::loop_form(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  if (node.bodies.size() != 1) refuse(place, "a Loop without a body, or with further graphs, has no counterpart");
  const Body& body = node.bodies.front();
  const Graph& inner_graph = from_.graphs[body.graph];
  LoopForm loop{
      node, inner_graph, {}, node.inputs.size() < 2 ? 0 : node.inputs.size() - 2, captured_by(node.bodies, scope), {}};
  if (node.inputs.size() < 2 || inner_graph.inputs.size() != node.inputs.size() ||
      inner_graph.outputs.size() != node.outputs.size() + 1 || node.outputs.size() < loop.carried)
    refuse(place, "a Loop whose inputs and outputs do not fit its body has no counterpart");
  const Slot cond = node.inputs[1];
  loop.variables.push_back({"trip", one_int64, add_constant(to, "", scalar_of(ElementType::int64, 0))});
  loop.variables.push_back({"again", Type::tensor(ElementType::boolean),
                            cond == no_slot ? add_constant(to, "", truth()) : scope[cond].slot});
  for (std::size_t i = 0; i < loop.carried; ++i) {
    const Slot initial = node.inputs[i + 2];
    if (initial == no_slot) refuse(place, "a loop variable that is left out has no counterpart");
    const Slot inner = inner_graph.inputs[i + 2];
    loop.variables.push_back(
        {inner_graph.slots[inner].name, type_of_slot(body.graph, inner, place), scope[initial].slot});
  }
  for (std::size_t i = loop.carried; i < node.outputs.size(); ++i) {
    const Slot each = inner_graph.outputs[i + 1];
    const Value none = no_elements(type_of_slot(body.graph, each, place), place.numbered("output", i));
    Type type = type_of(none);
    type.shape->front() = Dim{};
    loop.variables.push_back({inner_graph.slots[each].name, type, add_constant(to, "", none)});
  }
  const Slot count = node.inputs[0];
  if (count != no_slot && scope[count].value.empty()) {
    loop.limit = loop.variables.size();
    loop.variables.push_back({"trip_count", type_of_slot(index, count, place), scope[count].slot});
  } else if (count != no_slot) {
    loop.count = scope[count].value;
  }
  for (const Slot slot : loop.captured)
    loop.variables.push_back(
        {from_.graphs[index].slots[slot].name, type_of_slot(index, slot, place), scope[slot].slot});
  return loop;
}

/// The captures are the last of the variables.
void OnnxToTflite::add_inputs(const LoopForm& loop, Graph& to, const Place& place) {
  const std::size_t first_captured = loop.variables.size() - loop.captured.size();
  for (std::size_t i = 0; i < loop.variables.size(); ++i) {
    to.inputs.push_back(to.add_slot(loop.variables[i].name, loop.variables[i].type));
    if (i >= first_captured) limits_.add_captured(to.slots.back(), place);
  }
}

/// for (trip = 0; trip < M && again; ++trip)
GraphIndex OnnxToTflite::translate_loop_cond(const LoopForm& loop, const Place& place) {
  Graph to;
  const GraphIndex index = reserve("cond_subgraph", to);
  add_inputs(loop, to, place);
  const Node node;
  TranslationSite site(node, {}, {}, to, Format::tflite, version_of_operators, place, growth_);
  Slot again = to.inputs[1];
  if (loop.limit || !loop.count.empty()) {
    const Slot count = loop.limit ? to.inputs[*loop.limit] : site.constant(loop.count);
    const Slot is_below = site.add_value(Type::tensor(ElementType::boolean), "LESS", {to.inputs[0], count});
    again = site.add_value(Type::tensor(ElementType::boolean), "LOGICAL_AND", {is_below, again});
  }
  const Slot scalar = site.constant(make_tensor<std::int32_t>(ElementType::int32, {0}, {}));
  to.outputs = {site.add_value(one_bool, "RESHAPE", {again, scalar})};
  to_.graphs[index] = std::move(to);
  return index;
}

/// Inside a trip cond is true; it is passed as a boolean of rank 0.
GraphIndex OnnxToTflite::translate_loop_body(const LoopForm& loop, const Scope& scope, const Place& place) {
  const Body& body = loop.node.bodies.front();
  Graph to;
  const GraphIndex index = reserve("body_subgraph", to);
  add_inputs(loop, to, place);
  Scope inside(loop.body.slots.size());
  inside[loop.body.inputs[0]] = {to.inputs[0], one_int64, {}};
  inside[loop.body.inputs[1]] = {add_constant(to, "", truth()), one_bool, truth()};
  for (std::size_t i = 2; i < loop.body.inputs.size(); ++i)
    inside[loop.body.inputs[i]] = {to.inputs[i], loop.variables[i].type, {}};
  define_captures(body, loop.captured, loop.variables.size() - loop.captured.size(), scope, loop.body,
                  {body.graph, to, inside}, limits_, place);
  translate_graph({body.graph, to, inside}, place);
  const Node node;
  TranslationSite site(node, {}, {}, to, Format::tflite, version_of_operators, place, growth_);
  to.outputs = {site.add_value(one_int64, "ADD", {to.inputs[0], site.constant(scalar_of(ElementType::int64, 1))})};
  for (std::size_t i = 0; i <= loop.carried; ++i) to.outputs.push_back(inside[loop.body.outputs[i]].slot);
  for (std::size_t i = to.outputs.size(); i <= loop.body.outputs.size(); ++i) {
    const Type& type = loop.variables[i].type;
    const Slot axis = site.constant(scalar_of(ElementType::int32, 0));
    const Slot each = site.add_value(type, "EXPAND_DIMS", {inside[loop.body.outputs[i - 1]].slot, axis});
    to.outputs.push_back(site.add_value(type, "CONCATENATION", {to.inputs[i], each}, {{"axis", std::int64_t{0}}}));
  }
  for (std::size_t i = to.outputs.size(); i < loop.variables.size(); ++i) to.outputs.push_back(to.inputs[i]);
  to_.graphs[index] = std::move(to);
  return index;
}

void OnnxToTflite::translate_loop(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  const LoopForm loop = loop_form(graph, node, place);
  Node made;
  made.op = "While";
  made.version = version_of_operators;
  made.bodies.push_back({"cond_subgraph", translate_loop_cond(loop, place), {}, {}});
  made.bodies.push_back({"body_subgraph", translate_loop_body(loop, scope, place.word("body")), {}, {}});
  for (std::size_t i = 0; i < loop.variables.size(); ++i) {
    made.inputs.push_back(loop.variables[i].initial);
    const bool is_output = i >= 2 && i < node.outputs.size() + 2;
    made.outputs.push_back(
        result(graph, is_output ? node.outputs[i - 2] : no_slot, loop.variables[i].type, place.numbered("output", i)));
  }
  to.nodes.push_back(std::move(made));
}

/// Copies a value by a RESHAPE to its own shape.
Slot OnnxToTflite::copy_of(Slot slot, Graph& to, const Place& place) const {
  const Node node;
  TranslationSite site(node, {}, {}, to, Format::tflite, version_of_operators, place, growth_);
  const Slot shape =
      site.add_value(Type::tensor(ElementType::int32, Shape{Dim{}}), "SHAPE", {slot}, {{"out_type", "int32"}});
  return site.add_value(to.slots[slot].declared, "RESHAPE", {slot, shape});
}

}  // namespace

Model onnx_to_tflite(const Model& from, const SlotTypes& types) {
  return OnnxToTflite(from, types).translate();
}

}  // namespace ifcert::translation
