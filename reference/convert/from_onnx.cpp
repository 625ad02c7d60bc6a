#include "convert/from_onnx.hpp"

#include <ifcert/inexpressible.hpp>
#include <span>
#include <unordered_set>
#include <utility>

#include "limits/out_of_memory.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "model/place.hpp"
#include "operators/onnx_operators.hpp"

namespace ifcert::translation {
namespace {

/// The value of an operator Constant. Throws Inexpressible where it is sparse, or there is not exactly one value.
Value value_of_constant(const Node& node, const Place& place) {
  if (node.attributes.contains("sparse_value"))
    throw Inexpressible(to_string(place), "a Constant whose value is sparse has no counterpart");
  try {
    Value value;
    kernels::evaluate_constant({node, {}}, std::span(&value, 1));
    return value;
  } catch (const EvaluationError& error) {
    throw Inexpressible(to_string(place), error.what());
  }
}

}  // namespace

FromOnnx::FromOnnx(const Model& from, const SlotTypes& types, Format format, std::int64_t ir_version)
    : from_(from), types_(types) {
  to_.format = format;
  to_.ir_version = ir_version;
  to_.producer = from.producer;
}

Model FromOnnx::translate() {
  const Graph& main = from_.main();
  const Place place = place_of(main);
  Graph to;
  reserve(main.name, to);
  Scope scope(main.slots.size());
  for (const Slot slot : main.inputs) {
    define({0, to, scope}, slot, place);
    to.inputs.push_back(scope[slot].slot);
  }
  translate_graph({0, to, scope}, place);
  add_main_outputs(to, scope, place);
  to_.graphs.front() = std::move(to);
  return std::move(to_);
}

GraphIndex FromOnnx::reserve(const std::string& name, Graph& graph) {
  graph.name = name;
  to_.graphs.emplace_back();
  return static_cast<GraphIndex>(to_.graphs.size() - 1);
}

Type FromOnnx::known_type(GraphIndex index, Slot slot) const {
  Type type = types_[index][slot];
  for (std::size_t i = 0; type.shape && i < type.shape->size(); ++i) (*type.shape)[i].symbol.clear();
  return type;
}

void FromOnnx::define(const Translated& graph, Slot slot, const Place& place) const {
  const auto& [index, to, scope] = graph;
  const Type type = type_of_slot(index, slot, place);
  limits_.add_dims(type.shape ? type.shape->size() : 0, place);
  scope[slot] = {to.add_slot(from_.graphs[index].slots[slot].name, type), type, {}};
}

void FromOnnx::define_captured(const Translated& graph, Slot slot, const Place& place) {
  define(graph, slot, place);
  limits_.add_captured(graph.to.slots[graph.scope[slot].slot], place);
}

Slot FromOnnx::result(const Translated& graph, Slot slot, const Type& otherwise, const Place& place) const {
  const auto& [index, to, scope] = graph;
  if (slot == no_slot) return to.add_slot("", otherwise);
  define(graph, slot, place);
  return scope[slot].slot;
}

void FromOnnx::translate_graph(const Translated& graph, const Place& place) {
  const auto& [index, to, scope] = graph;
  const Graph& from = from_.graphs[index];
  for (const Constant& constant : from.constants) {
    if (constant.value.sparse() != nullptr) refuse(place, "a sparse initializer has no counterpart");
    if (scope[constant.slot].slot != no_slot) refuse(place, "an input with a default has no counterpart");
    define(graph, constant.slot, place);
    scope[constant.slot].value = constant.value;
    to.constants.push_back({scope[constant.slot].slot, constant.value});
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    const Place here = place_of(from, i, place);
    naming_out_of_memory(here, [&] { translate_node(graph, from.nodes[i], here); });
  }
}

void FromOnnx::translate_node(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  if (!node.domain.empty()) refuse(place, fmt::format("the domain \"{}\" has no counterpart", node.domain));
  if (is_if(node)) return translate_if(graph, node, place);
  if (node.op == "Identity") {
    if (node.outputs.front() == no_slot) return;
    scope[node.outputs.front()] = scope[node.inputs.front()];
  } else if (node.op == "Constant") {
    if (node.outputs.front() == no_slot) return;
    Value value = value_of_constant(node, place);
    define(graph, node.outputs.front(), place);
    TranslationSite::Facts& known = scope[node.outputs.front()];
    known.value = std::move(value);
    to.constants.push_back({known.slot, known.value});
  } else {
    translate_operator(graph, node, place);
  }
}

void FromOnnx::add_if(const Translated& graph, const Node& node, Node made, const Place& place) const {
  const auto& [index, to, scope] = graph;
  const Graph& then_graph = to_.graphs[made.bodies.front().graph];
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    made.outputs.push_back(
        result(graph, node.outputs[i], then_graph.slots[then_graph.outputs[i]].declared, place.numbered("output", i)));
  }
  to.nodes.push_back(std::move(made));
}

/// The outputs of the model keep their names, also where an Identity was removed: a value that is neither an input nor
/// another output gets the name, any other one is copied.
void FromOnnx::add_main_outputs(Graph& to, const Scope& scope, const Place& place) const {
  std::unordered_set<Slot> is_port(to.inputs.begin(), to.inputs.end());
  for (std::size_t i = 0; i < from_.main().outputs.size(); ++i) {
    const Slot from = from_.main().outputs[i];
    const std::string& name = from_.main().slots[from].name;
    Slot slot = scope[from].slot;
    if (to.slots[slot].name != name && is_port.contains(slot)) slot = copy_of(slot, to, place.numbered("output", i));
    to.slots[slot].name = name;
    is_port.insert(slot);
    to.outputs.push_back(slot);
  }
}

}  // namespace ifcert::translation
