// IR's graph form → ONNX's: port maps become captures. What a body only hands on goes through an Identity, since ONNX
// does not say that a graph may give what it is given.
#include <ifcert/rules.hpp>
#include <unordered_set>

#include "node_place.hpp"
#include "translate/onnx_release.hpp"
#include "translate/operators.hpp"
#include "translate/translators.hpp"

namespace ifcert::translation {
namespace {

[[noreturn]] void refuse(const Place& place, const std::string& reason) {
  throw Inexpressible(to_string(place), reason);
}

class Translator {
 public:
  explicit Translator(const Model& from) : from_(from), types_(infer_types(from)) {}

  Model translate();

 private:
  void translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place);
  void translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  void translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  Body translate_body(const Body& body, const Scope& scope, const Place& place);
  void give_outputs(GraphIndex index, Graph& to, const Scope& scope, const std::vector<Slot>& given);
  void define(GraphIndex index, Slot slot, Graph& to, Scope& scope) const {
    scope[slot] = {to.add_slot(from_.graphs[index].slots[slot].name), types_[index][slot], {}};
  }

  const Model& from_;
  std::vector<std::vector<Type>> types_;
  Model to_;
  int opset_ = 0;
};

Model Translator::translate() {
  const Release target = release_for(types_);
  opset_ = target.opset;
  to_.format = Format::onnx;
  to_.ir_version = target.ir_version;
  to_.opsets = {{"", opset_}};
  to_.producer = from_.producer;
  to_.graphs.emplace_back();
  const Graph& main = from_.main();
  const Place place{.kind = Place::Kind::named, .what = "graph", .name = main.name};
  Graph to;
  to.name = main.name.empty() ? "main" : main.name;
  Scope scope(main.slots.size());
  for (const Slot slot : main.inputs) {
    define(0, slot, to, scope);
    if (types_[0][slot].element == ElementType::undefined)
      refuse(place.named("value", main.slots[slot].name), "an input whose element type is dynamic has no counterpart");
    to.slots[scope[slot].slot].declared = types_[0][slot];
    to.inputs.push_back(scope[slot].slot);
  }
  translate_graph(0, to, scope, place);
  give_outputs(0, to, scope, to.inputs);
  for (std::size_t i = 0; i < to.outputs.size(); ++i) to.slots[to.outputs[i]].declared = types_[0][main.outputs[i]];
  to_.graphs.front() = std::move(to);
  return std::move(to_);
}

void Translator::translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place) {
  const Graph& from = from_.graphs[index];
  for (const Constant& constant : from.constants) {
    define(index, constant.slot, to, scope);
    scope[constant.slot].value = constant.value;
    to.constants.push_back({scope[constant.slot].slot, constant.value});
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i)
    translate_node(index, from.nodes[i], to, scope, place_of(from, i, place));
}

void Translator::translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  if (!node.domain.empty()) refuse(place, "an extension has no counterpart");
  if (node.op == "If") return translate_if(index, node, to, scope, place);
  const Row* row = row_of_layer(node.op);
  if (row == nullptr || !node.bodies.empty())
    refuse(place, fmt::format("{} is not in the table of operators", node.op));
  std::vector<Slot> results;
  for (const Slot slot : node.outputs) {
    define(index, slot, to, scope);
    results.push_back(scope[slot].slot);
  }
  Site site(node, operands_of(node, scope), std::move(results), to, opset_, place);
  row->to_nodes(*row, site);
}

void Translator::translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) {
  Node made;
  made.name = node.name;
  made.op = "If";
  made.version = opset_;
  made.inputs = {scope[node.inputs.front()].slot};
  for (const Body& body : node.bodies) made.bodies.push_back(translate_body(body, scope, place));
  for (const Slot slot : node.outputs) {
    define(index, slot, to, scope);
    made.outputs.push_back(scope[slot].slot);
  }
  to.nodes.push_back(std::move(made));
}

Body Translator::translate_body(const Body& body, const Scope& scope, const Place& place) {
  const bool is_then = body.role == "then_body";
  Body branch{is_then ? "then_branch" : "else_branch", static_cast<GraphIndex>(to_.graphs.size()), {}, {}};
  to_.graphs.emplace_back();
  Graph to;
  to.name = branch.role;
  Scope inside(from_.graphs[body.graph].slots.size());
  std::vector<Slot> given;
  for (const Capture& capture : body.captures) {
    define(body.graph, capture.inner, to, inside);
    inside[capture.inner].value = scope[capture.outer].value;
    given.push_back(inside[capture.inner].slot);
    branch.captures.push_back({scope[capture.outer].slot, given.back()});
  }
  translate_graph(body.graph, to, inside, place.word(body.role));
  give_outputs(body.graph, to, inside, given);
  to_.graphs[branch.graph] = std::move(to);
  return branch;
}

/// `given` are the values that the graph does not make itself.
void Translator::give_outputs(GraphIndex index, Graph& to, const Scope& scope, const std::vector<Slot>& given) {
  std::unordered_set<Slot> taken(given.begin(), given.end());
  for (const Slot from : from_.graphs[index].outputs) {
    Slot slot = scope[from].slot;
    if (!taken.insert(slot).second) {
      const Slot copy = to.add_slot(to.slots[slot].name);
      Node node;
      node.op = "Identity";
      node.version = opset_;
      node.inputs = {slot};
      node.outputs = {copy};
      to.nodes.push_back(std::move(node));
      slot = copy;
    }
    to.outputs.push_back(slot);
  }
}

}  // namespace

Model openvino_to_onnx(const Model& from) {
  return Translator(from).translate();
}

}  // namespace ifcert::translation
