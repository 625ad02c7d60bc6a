// ONNX's graph form → IR's: the captures of bodies become inputs of the If.
#include <numeric>
#include <unordered_set>

#include "convert/from_onnx.hpp"
#include "convert/operators.hpp"
#include "formats/openvino/types.hpp"

namespace ifcert::translation {
namespace {

constexpr std::int64_t ir_version = 11;
constexpr int opset_of_if = 8;
constexpr int opset_of_shape_of = 3;
constexpr int opset_of_reshape = 1;  // and of Transpose

/// The inputs of an If: cond, then each captured value once.
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

class OnnxToOpenvino final : public FromOnnx {
 public:
  OnnxToOpenvino(const Model& from, const SlotTypes& types) : FromOnnx(from, types, Format::openvino, ir_version) {}

 private:
  Type type_of_slot(GraphIndex index, Slot slot, const Place& place) const override;
  void translate_operator(const Translated& graph, const Node& node, const Place& place) override;
  void translate_if(const Translated& graph, const Node& node, const Place& place) override;
  Slot copy_of(Slot slot, Graph& to, const Place& place) const override;
  Body translate_branch(const Body& branch, Inputs& inputs, const Scope& scope, const Place& place);
};

Type OnnxToOpenvino::type_of_slot(GraphIndex index, Slot slot, const Place& place) const {
  Type type = known_type(index, slot);
  const std::string& name = from_.graphs[index].slots[slot].name;
  if (type.known() && !type.is_tensor())
    refuse(place.named("value", name), fmt::format("IR has only tensors; this is {}", kind_text(type)));
  if (openvino::attribute_name_of(type.element).empty())
    refuse(place.named("value", name), fmt::format("IR has no element type {}", name_of(type.element)));
  return type;
}

void OnnxToOpenvino::translate_operator(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  const Row* row = row_of_node(node.op, node.version);
  if (row == nullptr) refuse(place, fmt::format("{} of this opset is not in the table of operators", node.op));
  std::vector<Slot> results;
  for (const Slot slot : node.outputs) results.push_back(result(graph, slot, {}, place));
  TranslationSite site(node, operands_of(node, scope), std::move(results), to, Format::openvino, row->opset, place,
                       growth_);
  row->to_layers(*row, site);
}

/// A scalar or a list of one in IR; in ONNX one element of any shape.
/// Sentences: if-8-cond, if-cond-single-element.
Slot cond_of(const TranslationSite::Facts& cond, Graph& to, const Place& place, Growth& growth) {
  if (cond.type.shape && cond.type.shape->size() <= 1) return cond.slot;
  const Node node;
  TranslationSite site(node, {cond}, {}, to, Format::openvino, opset_of_reshape, place, growth);
  return site.add_inner("Reshape", {cond.slot, site.constant(list_of({1}))}, {{"special_zero", "false"}});
}

void OnnxToOpenvino::translate_if(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  Node made;
  made.name = node.name;
  made.op = "If";
  made.version = opset_of_if;
  Inputs inputs(cond_of(scope[node.inputs.front()], to, place, growth_));
  for (const Body& branch : node.bodies) made.bodies.push_back(translate_branch(branch, inputs, scope, place));
  made.inputs = inputs.take();
  add_if(graph, node, std::move(made), place);
}

/// Adds the captures of the branch to the inputs of the If.
Body OnnxToOpenvino::translate_branch(const Body& branch, Inputs& inputs, const Scope& scope, const Place& place) {
  const std::string role = branch.role == "then_branch" ? "then_body" : "else_body";
  const Place here = place.word(branch.role);
  Graph to;
  Body body{role, reserve(role, to), {}, {}};
  const Graph& from = from_.graphs[branch.graph];
  Scope inside(from.slots.size());
  for (const Capture& capture : branch.captures) {
    const TranslationSite::Facts& outer = scope[capture.outer];
    define_captured({branch.graph, to, inside}, capture.inner, here);
    inside[capture.inner].value = outer.value;
    body.captures.push_back({outer.slot, inside[capture.inner].slot});
    inputs.add(outer.slot);
  }
  translate_graph({branch.graph, to, inside}, here);
  for (const Slot slot : from.outputs) to.outputs.push_back(inside[slot].slot);
  to_.graphs[body.graph] = std::move(to);
  return body;
}

/// Copies strings by a Transpose that keeps the order of the axes.
Slot copy_of_strings(TranslationSite& site, Slot slot, const Type& type) {
  if (!type.shape) site.refuse("an output that is another name of strings of unknown rank has no counterpart");
  Integers order(type.shape->size());
  std::iota(order.begin(), order.end(), 0);
  return site.add_value(type, "Transpose", {slot, site.constant(list_of(order))});
}

/// Copies a value by a Reshape to its own shape; Reshape-1 does not accept strings.
Slot OnnxToOpenvino::copy_of(Slot slot, Graph& to, const Place& place) const {
  const Node node;
  TranslationSite site(node, {}, {}, to, Format::openvino, opset_of_reshape, place, growth_);
  const Type type = to.slots[slot].declared;
  if (type.element == ElementType::string) return copy_of_strings(site, slot, type);
  const Slot shape = site.add_inner("ShapeOf", {slot}, {{"output_type", "i64"}}, opset_of_shape_of);
  return site.add_value(type, "Reshape", {slot, shape}, {{"special_zero", "false"}});
}

}  // namespace

Model onnx_to_openvino(const Model& from, const SlotTypes& types) {
  return OnnxToOpenvino(from, types).translate();
}

}  // namespace ifcert::translation
