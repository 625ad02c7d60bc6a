// ONNX's graph form → IR's: bodies are closed, what they capture becomes inputs of the If. Identity and Constant leave
// no layer.
#include <ifcert/rules.hpp>
#include <unordered_set>

#include "node_place.hpp"
#include "translate/onnx_constant.hpp"
#include "translate/operators.hpp"
#include "translate/translators.hpp"

namespace ifcert::translation {
namespace {

constexpr int opset_of_if = 8;

[[noreturn]] void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

/// The inputs of an If behind cond, each value once.
class Inputs {
 public:
  explicit Inputs(Slot cond) : slots_{cond} {}
  void add(Slot slot) {
    if (listed_.insert(slot).second) slots_.push_back(slot);
  }
  std::vector<Slot> take() { return std::move(slots_); }

 private:
  std::vector<Slot> slots_;
  std::unordered_set<Slot> listed_;
};

class Translator {
 public:
  explicit Translator(const Model& from) : from_(from), types_(infer_types(from)) {}

  Model translate();

 private:
  void translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place);
  void translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  void translate_operator(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  void translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  Body translate_branch(const Body& branch, Inputs& inputs, const Scope& scope, const Place& place);
  void give_outputs(Graph& to, const Scope& scope, const Place& place);
  Slot cond_of(const Site::Known& cond, Graph& to, const Place& place);
  Slot add_slot(GraphIndex index, Slot slot, Graph& to, const Place& place) const;
  void define(GraphIndex index, Slot slot, Graph& to, Scope& scope, const Place& place) const {
    scope[slot] = {add_slot(index, slot, to, place), types_[index][slot], {}};
  }

  const Model& from_;
  std::vector<std::vector<Type>> types_;
  Model to_;
};

Model Translator::translate() {
  to_.format = Format::openvino;
  to_.ir_version = 11;
  to_.producer = from_.producer;
  to_.graphs.emplace_back();
  const Graph& main = from_.main();
  const Place place{.kind = Place::Kind::named, .what = "graph", .name = main.name};
  Graph to;
  to.name = main.name;
  Scope scope(main.slots.size());
  for (const Slot slot : main.inputs) {
    define(0, slot, to, scope, place);
    to.inputs.push_back(scope[slot].slot);
  }
  translate_graph(0, to, scope, place);
  give_outputs(to, scope, place);
  to_.graphs.front() = std::move(to);
  return std::move(to_);
}

/// All but inputs and outputs, which are not those of a body.
void Translator::translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place) {
  const Graph& from = from_.graphs[index];
  if (!from.sparse_constants.empty()) refuse(place, "a sparse initializer has no counterpart");
  for (const Constant& constant : from.constants) {
    if (scope[constant.slot].slot != no_slot) refuse(place, "an input with a default has no counterpart");
    define(index, constant.slot, to, scope, place);
    scope[constant.slot].value = constant.value;
    to.constants.push_back({scope[constant.slot].slot, constant.value});
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i)
    translate_node(index, from.nodes[i], to, scope, place_of(from, i, place));
}

Slot Translator::add_slot(GraphIndex index, Slot slot, Graph& to, const Place& place) const {
  const std::string& name = from_.graphs[index].slots[slot].name;
  Type type = types_[index][slot];
  if (type.known() && !type.is_tensor())
    refuse(place.named("value", name), fmt::format("IR has tensors alone, this is {}", kind_of(type)));
  for (std::size_t i = 0; type.shape && i < type.shape->size(); ++i) (*type.shape)[i].symbol.clear();
  return to.add_slot(name, std::move(type));
}

void Translator::translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  if (node.call) refuse(place, "a call of a function has no counterpart");
  if (!node.domain.empty()) refuse(place, fmt::format("the domain \"{}\" has no counterpart", node.domain));
  if (node.op == "If") return translate_if(index, node, to, scope, place);
  if (node.op == "Identity") {
    if (node.outputs.front() == no_slot) return;
    scope[node.outputs.front()] = scope[node.inputs.front()];
  } else if (node.op == "Constant") {
    if (node.outputs.front() == no_slot) return;
    define(index, node.outputs.front(), to, scope, place);
    Site::Known& known = scope[node.outputs.front()];
    known.value = value_of_constant(node, place);
    to.constants.push_back({known.slot, known.value});
  } else {
    translate_operator(index, node, to, scope, place);
  }
}

void Translator::translate_operator(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  const Row* row = row_of_node(node.op, node.version);
  if (row == nullptr) refuse(place, fmt::format("{} of this opset is not in the table of operators", node.op));
  std::vector<Slot> results;
  for (const Slot slot : node.outputs) {
    if (slot != no_slot) define(index, slot, to, scope, place);
    results.push_back(slot == no_slot ? to.add_slot("") : scope[slot].slot);
  }
  Site site(node, operands_of(node, scope), std::move(results), to, row->opset, place);
  row->to_layers(*row, site);
}

/// "A scalar or 1D tensor with 1 element" in IR; ONNX takes one element of any shape.
Slot Translator::cond_of(const Site::Known& cond, Graph& to, const Place& place) {
  if (cond.type.shape && cond.type.shape->size() <= 1) return cond.slot;
  const Node node;
  Site site(node, {cond}, {}, to, 1, place);
  return site.add_inner("Reshape", {cond.slot, site.constant(list_of({1}))}, {{"special_zero", "false"}});
}

void Translator::translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  Node made;
  made.name = node.name;
  made.op = "If";
  made.version = opset_of_if;
  Inputs inputs(cond_of(scope[node.inputs.front()], to, place));
  for (const Body& branch : node.bodies) made.bodies.push_back(translate_branch(branch, inputs, scope, place));
  made.inputs = inputs.take();
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const Slot slot = node.outputs[i];
    if (slot != no_slot) define(index, slot, to, scope, place);
    // What nobody wants is an output of the layer all the same.
    const Graph& then_graph = to_.graphs[made.bodies.front().graph];
    made.outputs.push_back(slot == no_slot ? to.add_slot("", then_graph.slots[then_graph.outputs[i]].declared)
                                           : scope[slot].slot);
  }
  to.nodes.push_back(std::move(made));
}

/// Adds what the branch captures to the inputs of the If.
Body Translator::translate_branch(const Body& branch, Inputs& inputs, const Scope& scope, const Place& place) {
  const bool is_then = branch.role == "then_branch";
  const Place here = place.word(branch.role);
  Body body{is_then ? "then_body" : "else_body", static_cast<GraphIndex>(to_.graphs.size()), {}, {}};
  to_.graphs.emplace_back();
  Graph to;
  to.name = body.role;
  const Graph& from = from_.graphs[branch.graph];
  Scope inside(from.slots.size());
  for (const Capture& capture : branch.captures) {
    const Site::Known& outer = scope[capture.outer];
    const Slot inner = add_slot(branch.graph, capture.inner, to, here);
    inside[capture.inner] = {inner, types_[branch.graph][capture.inner], outer.value};
    body.captures.push_back({outer.slot, inner});
    inputs.add(outer.slot);
  }
  translate_graph(branch.graph, to, inside, here);
  for (const Slot slot : from.outputs) to.outputs.push_back(inside[slot].slot);
  to_.graphs[body.graph] = std::move(to);
  return body;
}

/// The outputs of the model keep their names: where Identity made another name of one value, a Reshape to its own shape
/// makes another value.
void Translator::give_outputs(Graph& to, const Scope& scope, const Place& place) {
  for (std::size_t i = 0; i < from_.main().outputs.size(); ++i) {
    const Slot from = from_.main().outputs[i];
    const std::string& name = from_.main().slots[from].name;
    Slot slot = scope[from].slot;
    if (to.slots[slot].name != name) {
      const Node node;
      const Place here = place.numbered("output", i);
      Site site(node, {}, {}, to, 1, here);
      const Slot shape = site.add_inner("ShapeOf", {slot}, {{"output_type", "i64"}}, 3);
      const Slot copy = to.add_slot(name, to.slots[slot].declared);
      site.add("Reshape", {slot, shape}, {copy}, {{"special_zero", "false"}});
      slot = copy;
    }
    to.outputs.push_back(slot);
  }
}

}  // namespace

Model onnx_to_openvino(const Model& from) {
  return Translator(from).translate();
}

}  // namespace ifcert::translation
