// TensorFlow Lite's graph form → ONNX's: operands of an If become captures, a While becomes a Loop whose cond is
// computed before it and at the end of its body. A subgraph that several operators name is copied for each.
#include <ifcert/rules.hpp>
#include <unordered_set>
#include <utility>

#include "convert/growth.hpp"
#include "convert/tflite_operators.hpp"
#include "convert/to_onnx.hpp"
#include "limits/budget.hpp"
#include "model/node_kind.hpp"

namespace ifcert::translation {
namespace {

/// Declares shapes for the outputs of the model, and checks it: the inferred one, or else the rank of the tensor in the
/// file, unless that breaks a rule, since shapes in the file are only hints.
LegalModel with_declared_shapes(Model model, const Graph& from) {
  Graph& main = model.graphs.front();
  const std::unordered_set<Slot> inputs(main.inputs.begin(), main.inputs.end());
  for (const Slot slot : main.outputs) {
    if (!inputs.contains(slot)) main.slots[slot].declared.shape.reset();
  }
  const std::vector<Type> inferred = infer_types(model).front();
  Graph hinted = main;
  for (std::size_t i = 0; i < main.outputs.size(); ++i) {
    const Slot slot = main.outputs[i];
    if (inputs.contains(slot)) continue;
    const std::optional<Shape>& hint = from.slots[from.outputs[i]].declared.shape;
    main.slots[slot].declared.shape = hinted.slots[slot].declared.shape = inferred[slot].shape;
    if (!inferred[slot].shape && hint) hinted.slots[slot].declared.shape = Shape(hint->size());
  }
  std::swap(main, hinted);
  Checked with_hints = checked(model);
  if (errors_in(with_hints.findings).empty()) return {std::move(model), std::move(with_hints.types)};
  std::swap(main, hinted);
  return legal(std::move(model), translated);
}

constexpr std::size_t bytes_of_copied_part = 64;  // of each dimension in a type of a copied subgraph

class TfliteToOnnx final : public ToOnnx {
 public:
  TfliteToOnnx(const Model& from, const SlotTypes& types)
      : ToOnnx(from, types, release_for(from, types)), translated_(from.graphs.size()) {}

 private:
  void translate_operation(const Translated& graph, const Node& node, const Place& place) override;
  void translate_graph(const Translated& graph, const Place& place) override;
  void translate_while(const Translated& graph, const Node& node, const Place& place);
  Body translate_loop_body(const Node& node, const Place& place);
  void spend_copy(GraphIndex index, const Place& place);
  Scope scope_of(const Body& body, const std::vector<TranslationSite::Facts>& inputs) const;
  const Graph& graph_of(const Body& body) const { return from_.graphs[body.graph]; }

  std::size_t copied_ = 0;
  std::vector<bool> translated_;  // by graph of `from_`: the first operator that names it gets no copy
};

/// Counts the names and types of a graph that is translated once more. A name is written twice: no two values of ONNX
/// may share it, so the copy gets a new one, which is remembered as taken.
void TfliteToOnnx::spend_copy(GraphIndex index, const Place& place) {
  if (!translated_[index]) {
    translated_[index] = true;
    return;
  }
  const std::vector<SlotInfo>& slots = from_.graphs[index].slots;
  for (Slot slot = 0; slot < slots.size(); ++slot)
    growth_.spend(2 * slots[slot].name.size() + parts_of(types_[index][slot]) * bytes_of_copied_part, place);
  for (const Node& node : from_.graphs[index].nodes) growth_.spend(node.name.size(), place);
}

void TfliteToOnnx::translate_graph(const Translated& graph, const Place& place) {
  const auto& [index, to, scope] = graph;
  const Graph& from = from_.graphs[index];
  copied_ += from.slots.size() + from.nodes.size();
  if (copied_ > most_copied) {
    refuse(
        place,
        fmt::format("there are more than {} tensors and operators, counting a subgraph for each operator that names it",
                    most_copied));
  }
  spend_copy(index, place);
  ToOnnx::translate_graph(graph, place);
}

void TfliteToOnnx::translate_operation(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  if (!node.domain.empty()) refuse(place, fmt::format("a {} operator has no counterpart", node.domain));
  if (node_kind(node, Format::tflite) == NodeKind::while_) return translate_while(graph, node, place);
  const TfliteRow* row = tflite_row_of_operator(node.op);
  if (row == nullptr) refuse(place, fmt::format("{} is not in the table of operators", node.op));
  TranslationSite site(node, operands_of(node, scope), results_of(graph, node), to, Format::onnx, opset_, place,
                       growth_);
  row->to_nodes(*row, site);
}

/// The scope of the body's graph with these inputs.
Scope TfliteToOnnx::scope_of(const Body& body, const std::vector<TranslationSite::Facts>& inputs) const {
  const Graph& from = graph_of(body);
  Scope scope(from.slots.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) scope[from.inputs[i]] = inputs[i];
  return scope;
}

/// Sentences: onert-while-cond, onert-while-body.
void TfliteToOnnx::translate_while(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  if (node.outputs.empty())
    refuse(place, "a While without variables has no counterpart: a Loop has at least one output");
  Node made = node_named("Loop");
  const std::vector<TranslationSite::Facts> variables = operands_of(node, scope);
  const Body& cond = node.bodies[0];
  made.inputs = {no_slot, inlined(cond, scope_of(cond, variables), to, place.word(cond.role)).front().slot};
  for (const TranslationSite::Facts& variable : variables) made.inputs.push_back(variable.slot);
  made.bodies.push_back(translate_loop_body(node, place));
  made.outputs = results_of(graph, node);
  to.nodes.push_back(std::move(made));
}

Body TfliteToOnnx::translate_loop_body(const Node& node, const Place& place) {
  const Body& cond = node.bodies[0];
  const Body& body = node.bodies[1];
  Body made{"body", static_cast<GraphIndex>(to_.graphs.size()), {}, {}};
  to_.graphs.emplace_back();
  Graph to;
  to.name = "body";
  to.inputs = {to.add_slot("trip", Type::tensor(ElementType::int64, Shape{})),
               to.add_slot("again", Type::tensor(ElementType::boolean))};
  std::vector<TranslationSite::Facts> variables;
  for (const Slot slot : graph_of(body).inputs) {
    const Type type = Type::tensor(types_[body.graph][slot].element);
    to.inputs.push_back(to.add_slot(graph_of(body).slots[slot].name, type));
    variables.push_back({to.inputs.back(), type, {}});
  }
  variables = inlined(body, scope_of(body, variables), to, place.word(body.role));
  std::vector<TranslationSite::Facts> outputs = inlined(cond, scope_of(cond, variables), to, place.word(cond.role));
  outputs.insert(outputs.end(), variables.begin(), variables.end());
  add_outputs(to, outputs);
  to_.graphs[made.graph] = std::move(to);
  return made;
}

}  // namespace

LegalModel tflite_to_onnx(const Model& from, const SlotTypes& types) {
  return with_declared_shapes(TfliteToOnnx(from, types).translate(), from.main());
}

}  // namespace ifcert::translation
