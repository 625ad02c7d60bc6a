#include "convert/to_onnx.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "limits/out_of_memory.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert::translation {
namespace {

/// The type of a body's input: as declared in the body, completed by the type outside.
Type type_inside(Type inner, const Type& outer) {
  if (inner.element == ElementType::undefined) inner.element = outer.element;
  if (!inner.shape) inner.shape = outer.shape;
  return inner;
}

}  // namespace

ToOnnx::ToOnnx(const Model& from, const SlotTypes& types, Release release)
    : from_(from), types_(types), opset_(release.opset) {
  to_.format = Format::onnx;
  to_.ir_version = release.ir_version;
  to_.opsets = {{"", opset_}};
  to_.producer = from.producer;
}

Model ToOnnx::translate() {
  to_.graphs.emplace_back();
  const Graph& main = from_.main();
  const Place place = place_of(main);
  Graph to;
  to.name = main.name.empty() ? "main" : main.name;
  Scope scope(main.slots.size());
  for (const Slot slot : main.inputs) {
    define({0, to, scope}, slot);
    if (types_[0][slot].element == ElementType::undefined)
      refuse(place.named("value", main.slots[slot].name), "an input whose element type is dynamic has no counterpart");
    to.slots[scope[slot].slot].declared = types_[0][slot];
    to.inputs.push_back(scope[slot].slot);
  }
  translate_graph({0, to, scope}, place);
  add_main_outputs(to, scope);
  to_.graphs.front() = std::move(to);
  return std::move(to_);
}

void ToOnnx::define(const Translated& graph, Slot slot) const {
  const auto& [index, to, scope] = graph;
  scope[slot] = {to.add_slot(from_.graphs[index].slots[slot].name), types_[index][slot], {}};
}

std::vector<Slot> ToOnnx::results_of(const Translated& graph, const Node& node) const {
  const auto& [index, to, scope] = graph;
  std::vector<Slot> results;
  for (const Slot slot : node.outputs) {
    define(graph, slot);
    results.push_back(scope[slot].slot);
  }
  return results;
}

Node ToOnnx::node_named(const std::string& op) const {
  Node node;
  node.op = op;
  node.version = opset_;
  return node;
}

void ToOnnx::translate_graph(const Translated& graph, const Place& place) {
  const auto& [index, to, scope] = graph;
  const Graph& from = from_.graphs[index];
  if (!from.unevaluated.empty()) {
    refuse(place.named("tensor", from.slots[from.unevaluated.front()].name),
           "a variable, a resource, or a constant in sparse form or in another file has no counterpart");
  }
  for (const Constant& constant : from.constants) {
    define(graph, constant.slot);
    scope[constant.slot].value = constant.value;
    to.constants.push_back({scope[constant.slot].slot, constant.value});
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    const Node& node = from.nodes[i];
    const Place here = place_of(from, i, place);
    naming_out_of_memory(
        here, [&] { is_if(node) ? translate_if(graph, node, here) : translate_operation(graph, node, here); });
  }
}

void ToOnnx::translate_if(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  Node made = node_named("If");
  made.name = node.name;
  made.inputs = {scope[node.inputs.front()].slot};
  made.bodies = {translate_branch(node.bodies[0], "then_branch", scope, place),
                 translate_branch(node.bodies[1], "else_branch", scope, place)};
  made.outputs = results_of(graph, node);
  to.nodes.push_back(std::move(made));
}

Body ToOnnx::translate_branch(const Body& body, const std::string& role, const Scope& scope, const Place& place) {
  Body branch{role, static_cast<GraphIndex>(to_.graphs.size()), {}, {}};
  to_.graphs.emplace_back();
  const Graph& from = from_.graphs[body.graph];
  Graph to;
  to.name = role;
  Scope inside(from.slots.size());
  for (const Capture& capture : body.captures) {
    const TranslationSite::Facts& outer = scope[capture.outer];
    const Slot inner = to.add_slot(from.slots[capture.inner].name);
    branch.captures.push_back({outer.slot, inner});
    inside[capture.inner] = {inner, type_inside(types_[body.graph][capture.inner], outer.type), outer.value};
  }
  add_outputs(to, inlined(body, std::move(inside), to, place.word(body.role)));
  to_.graphs[branch.graph] = std::move(to);
  return branch;
}

std::vector<TranslationSite::Facts> ToOnnx::inlined(const Body& body, Scope scope, Graph& to, const Place& place) {
  translate_graph({body.graph, to, scope}, place);
  std::vector<TranslationSite::Facts> outputs;
  for (const Slot slot : from_.graphs[body.graph].outputs) outputs.push_back(scope[slot]);
  return outputs;
}

Slot ToOnnx::identity(Graph& to, Slot slot) const {
  Node node = node_named("Identity");
  node.inputs = {slot};
  node.outputs = {to.add_slot(to.slots[slot].name)};
  to.nodes.push_back(node);
  return node.outputs.front();
}

void ToOnnx::add_outputs(Graph& to, const std::vector<TranslationSite::Facts>& values) const {
  std::unordered_set<Slot> made;
  for (const Node& node : to.nodes) made.insert(node.outputs.begin(), node.outputs.end());
  for (const TranslationSite::Facts& value : values) {
    const bool is_free = made.erase(value.slot) > 0;
    to.outputs.push_back(is_free ? value.slot : identity(to, value.slot));
  }
}

/// Adds the outputs of the main graph, which have names and types. A value that is an input, or an output already, is
/// listed once more: through an Identity it would need another name.
void ToOnnx::add_main_outputs(Graph& to, const Scope& scope) const {
  const Graph& main = from_.main();
  std::unordered_map<Slot, Slot> listed;  // by their slots in the old graph
  for (const Slot slot : main.inputs) listed.emplace(slot, scope[slot].slot);
  std::vector<Slot> computed;
  std::vector<TranslationSite::Facts> values;
  for (const Slot slot : main.outputs) {
    if (!listed.emplace(slot, no_slot).second) continue;
    computed.push_back(slot);
    values.push_back(scope[slot]);
  }
  add_outputs(to, values);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    listed[computed[i]] = to.outputs[i];
    SlotInfo& slot = to.slots[to.outputs[i]];
    slot.name = main.slots[computed[i]].name;
    slot.declared = types_[0][computed[i]];
  }
  to.outputs.clear();
  for (const Slot slot : main.outputs) to.outputs.push_back(listed[slot]);
}

}  // namespace ifcert::translation
