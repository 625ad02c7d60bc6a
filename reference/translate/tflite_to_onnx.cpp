// TensorFlow Lite's graph form → ONNX's: operands of an If become captures, a While a Loop whose cond is computed
// before it and at the end of its body. A subgraph that several operators name becomes a graph for each. What a body
// only hands on goes through an Identity, since ONNX does not say that a graph may give what it is given.
#include <ifcert/rules.hpp>
#include <unordered_set>

#include "node_place.hpp"
#include "translate/onnx_release.hpp"
#include "translate/tflite_operators.hpp"
#include "translate/translators.hpp"

namespace ifcert::translation {
namespace {

/// Tensors and operators, each copy counted: subgraphs that name subgraphs twice double with each level.
constexpr std::size_t most_copied = 200'000;

[[noreturn]] void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

/// ONNX compares strings from opset 19 on.
Release release_of(const Model& model, const std::vector<std::vector<Type>>& types) {
  Release release = release_for(types);
  for (std::size_t i = 0; i < model.graphs.size(); ++i) {
    for (const Node& node : model.graphs[i].nodes) {
      const bool compares = node.op == "EQUAL" || node.op == "NOT_EQUAL";
      if (!compares || node.inputs.empty() || node.inputs[0] == no_slot) continue;
      if (types[i][node.inputs[0]].element == ElementType::string && release.opset < 19) release = {19, 9};
    }
  }
  return release;
}

/// An output of an ONNX model has a shape: the one that is inferred, or else of the rank that the tensor has in the
/// file, unless that breaks a rule; there it is a hint.
void declare_shapes(Model& model, const Graph& from) {
  const std::vector<Type> inferred = infer_types(model).front();
  Graph& main = model.graphs.front();
  Graph hinted = main;
  for (std::size_t i = 0; i < main.outputs.size(); ++i) {
    const Slot slot = main.outputs[i];
    const std::optional<Shape>& hint = from.slots[from.outputs[i]].declared.shape;
    main.slots[slot].declared.shape = hinted.slots[slot].declared.shape = inferred[slot].shape;
    if (!inferred[slot].shape && hint) hinted.slots[slot].declared.shape = Shape(hint->size());
  }
  std::swap(main, hinted);
  if (!check(model).empty()) std::swap(main, hinted);
}

class Translator {
 public:
  explicit Translator(const Model& from) : from_(from), types_(infer_types(from)) {}

  Model translate();

 private:
  void translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place);
  void translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  void translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  Body translate_branch(const Body& body, const Scope& scope, const Place& place);
  void translate_while(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  Body translate_loop_body(const Node& node, const Place& place);
  std::vector<Site::Known> inlined(const Body& body, const std::vector<Site::Known>& inputs, Graph& to,
                                   const Place& place);
  Node node_named(const std::string& op) const;
  void give(Graph& to, const std::vector<Site::Known>& values);
  void give_main_outputs(Graph& to, const Scope& scope);
  Slot identity(Graph& to, Slot slot, const std::string& name);
  void spend(const Graph& graph, const Place& place);
  void define(GraphIndex index, Slot slot, Graph& to, Scope& scope) const {
    scope[slot] = {to.add_slot(from_.graphs[index].slots[slot].name), types_[index][slot], {}};
  }
  const Graph& graph_of(const Body& body) const { return from_.graphs[body.graph]; }

  const Model& from_;
  std::vector<std::vector<Type>> types_;
  Model to_;
  int opset_ = 0;
  std::size_t copied_ = 0;
};

void Translator::spend(const Graph& graph, const Place& place) {
  copied_ += graph.slots.size() + graph.nodes.size();
  if (copied_ <= most_copied) return;
  refuse(place,
         fmt::format("subgraphs, copied for each operator that names them, have more than {} tensors and operators",
                     most_copied));
}

Model Translator::translate() {
  const Release target = release_of(from_, types_);
  opset_ = target.opset;
  to_.format = Format::onnx;
  to_.ir_version = target.ir_version;
  to_.opsets = {{"", opset_}};
  to_.producer = from_.producer;
  to_.graphs.emplace_back();
  const Graph& main = from_.main();
  const Place place = place_of(main);
  Graph to;
  to.name = main.name.empty() ? "main" : main.name;
  Scope scope(main.slots.size());
  for (const Slot slot : main.inputs) {
    define(0, slot, to, scope);
    to.slots[scope[slot].slot].declared = types_[0][slot];
    to.inputs.push_back(scope[slot].slot);
  }
  translate_graph(0, to, scope, place);
  give_main_outputs(to, scope);
  to_.graphs.front() = std::move(to);
  declare_shapes(to_, main);
  return std::move(to_);
}

/// All but inputs and outputs.
void Translator::translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place) {
  const Graph& from = from_.graphs[index];
  spend(from, place);
  if (!from.sparse_constants.empty()) refuse(place, "a sparse constant has no counterpart");
  for (const Constant& constant : from.constants) {
    define(index, constant.slot, to, scope);
    scope[constant.slot].value = constant.value;
    to.constants.push_back({scope[constant.slot].slot, constant.value});
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i)
    translate_node(index, from.nodes[i], to, scope, place_of(from, i, place));
}

void Translator::translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  if (!node.domain.empty()) refuse(place, fmt::format("a {} operator has no counterpart", node.domain));
  if (node.op == "If") return translate_if(index, node, to, scope, place);
  if (node.op == "While") return translate_while(index, node, to, scope, place);
  const TfliteRow* row = tflite_row_of_operator(node.op);
  if (row == nullptr) refuse(place, fmt::format("{} is not in the table of operators", node.op));
  std::vector<Slot> results;
  for (const Slot slot : node.outputs) {
    define(index, slot, to, scope);
    results.push_back(scope[slot].slot);
  }
  Site site(node, operands_of(node, scope), std::move(results), to, opset_, place);
  row->to_nodes(*row, site);
}

Node Translator::node_named(const std::string& op) const {
  Node node;
  node.op = op;
  node.version = opset_;
  return node;
}

void Translator::translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  Node made = node_named("If");
  made.inputs = {scope[node.inputs.front()].slot};
  for (const Body& body : node.bodies) made.bodies.push_back(translate_branch(body, scope, place));
  for (const Slot slot : node.outputs) {
    define(index, slot, to, scope);
    made.outputs.push_back(scope[slot].slot);
  }
  to.nodes.push_back(std::move(made));
}

Body Translator::translate_branch(const Body& body, const Scope& scope, const Place& place) {
  const bool is_then = body.role == "then_subgraph";
  Body branch{is_then ? "then_branch" : "else_branch", static_cast<GraphIndex>(to_.graphs.size()), {}, {}};
  to_.graphs.emplace_back();
  Graph to;
  to.name = branch.role;
  std::vector<Site::Known> inputs;
  for (const Capture& capture : body.captures) {
    const Site::Known& outer = scope[capture.outer];
    const Slot inner = to.add_slot(graph_of(body).slots[capture.inner].name);
    branch.captures.push_back({outer.slot, inner});
    inputs.push_back({inner, outer.type, outer.value});
  }
  give(to, inlined(body, inputs, to, place.word(body.role)));
  to_.graphs[branch.graph] = std::move(to);
  return branch;
}

/// What the subgraph gives, its operators being in `to`. Inputs: the values that stand for the subgraph's.
std::vector<Site::Known> Translator::inlined(const Body& body, const std::vector<Site::Known>& inputs, Graph& to,
                                             const Place& place) {
  const Graph& from = graph_of(body);
  Scope scope(from.slots.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) scope[from.inputs[i]] = inputs[i];
  translate_graph(body.graph, to, scope, place);
  std::vector<Site::Known> outputs;
  for (const Slot slot : from.outputs) outputs.push_back(scope[slot]);
  return outputs;
}

/// "Invoke the condition subgraph. Break out the loop if the result is false. Invoke the body subgraph, use the output
/// as the input of the next iteration." (seed 004)
void Translator::translate_while(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  if (node.outputs.empty()) refuse(place, "a While without variables has no counterpart: a Loop has an output");
  Node made = node_named("Loop");
  const std::vector<Site::Known> variables = operands_of(node, scope);
  const Body& cond = node.bodies[0];
  made.inputs = {no_slot, inlined(cond, variables, to, place.word(cond.role)).front().slot};
  for (const Site::Known& variable : variables) made.inputs.push_back(variable.slot);
  made.bodies.push_back(translate_loop_body(node, place));
  for (const Slot slot : node.outputs) {
    define(index, slot, to, scope);
    made.outputs.push_back(scope[slot].slot);
  }
  to.nodes.push_back(std::move(made));
}

Body Translator::translate_loop_body(const Node& node, const Place& place) {
  const Body& cond = node.bodies[0];
  const Body& body = node.bodies[1];
  Body made{"body", static_cast<GraphIndex>(to_.graphs.size()), {}, {}};
  to_.graphs.emplace_back();
  Graph to;
  to.name = "body";
  to.inputs = {to.add_slot("trip", Type::tensor(ElementType::int64, Shape{})),
               to.add_slot("again", Type::tensor(ElementType::boolean))};
  std::vector<Site::Known> variables;
  for (const Slot slot : graph_of(body).inputs) {
    const Type type = Type::tensor(types_[body.graph][slot].element);
    to.inputs.push_back(to.add_slot(graph_of(body).slots[slot].name, type));
    variables.push_back({to.inputs.back(), type, {}});
  }
  variables = inlined(body, variables, to, place.word(body.role));
  std::vector<Site::Known> outputs = inlined(cond, variables, to, place.word(cond.role));
  outputs.insert(outputs.end(), variables.begin(), variables.end());
  give(to, outputs);
  to_.graphs[made.graph] = std::move(to);
  return made;
}

Slot Translator::identity(Graph& to, Slot slot, const std::string& name) {
  Node node = node_named("Identity");
  node.inputs = {slot};
  node.outputs = {to.add_slot(name)};
  to.nodes.push_back(node);
  return node.outputs.front();
}

/// The values as outputs of a body: what no node of it makes, and what was given already, goes through an Identity.
void Translator::give(Graph& to, const std::vector<Site::Known>& values) {
  std::unordered_set<Slot> made;
  for (const Node& node : to.nodes) made.insert(node.outputs.begin(), node.outputs.end());
  for (const Site::Known& value : values) {
    const bool is_free = made.erase(value.slot) > 0;
    to.outputs.push_back(is_free ? value.slot : identity(to, value.slot, to.slots[value.slot].name));
  }
}

/// The same in the main graph, whose outputs have names and element types.
void Translator::give_main_outputs(Graph& to, const Scope& scope) {
  const Graph& main = from_.main();
  std::vector<Site::Known> values;
  for (const Slot slot : main.outputs) values.push_back(scope[slot]);
  give(to, values);
  for (std::size_t i = 0; i < to.outputs.size(); ++i) {
    SlotInfo& slot = to.slots[to.outputs[i]];
    slot.name = main.slots[main.outputs[i]].name;
    slot.declared = Type::tensor(types_[0][main.outputs[i]].element);
  }
}

}  // namespace

Model tflite_to_onnx(const Model& from) {
  return Translator(from).translate();
}

}  // namespace ifcert::translation
