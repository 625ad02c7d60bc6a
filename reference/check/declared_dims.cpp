#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "check/model_rules.hpp"
#include "limits/budget.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert::rules {
namespace {

/// The size of a dimension variable, and the name of the first value whose shape has that size there.
struct VariableSize {
  std::int64_t size;
  std::string_view first_value;
};

/// The limit on a name in a message, because many values may share a long one.
constexpr std::size_t longest_name = 200;

using VariableSizes = std::unordered_map<std::string_view, VariableSize>;

// Nested graphs may have variables of their own (ir-names-shape).
// Sentence: ir-dimension-variables.
// Rule: onnx/model/shared-dims-agree.
void shared_dims_agree(const Graph& graph, const std::vector<Type>& types, Findings& findings) {
  const Place graph_place{.kind = Place::Kind::named, .what = "graph", .name = graph.name};
  VariableSizes sizes;
  for (std::size_t slot = 0; slot < graph.slots.size(); ++slot) {
    const SlotInfo& info = graph.slots[slot];
    const Type& type = types[slot];
    if (!info.declared.shape || !type.shape || info.declared.shape->size() != type.shape->size()) continue;
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
      const Dim& declared = (*info.declared.shape)[i];
      const Dim& dim = (*type.shape)[i];
      if (declared.known() || declared.symbol.empty() || !dim.known()) continue;
      const auto [found, inserted] = sizes.try_emplace(declared.symbol, VariableSize{dim.value, info.name});
      if (inserted || found->second.size == dim.value) continue;
      findings.report("onnx/model/shared-dims-agree", graph_place.named("value", info.name),
                      fmt::format("{} is {} here and {} in the value \"{}\"", shortened(declared.symbol, longest_name),
                                  dim.value, found->second.size, shortened(found->second.first_value, longest_name)),
                      "a dimension variable has the same value in the whole graph");
    }
  }
}

/// Checks the declared shapes of sequences that a SequenceConstruct makes, directly or in a branch.
class SequenceShapes {
 public:
  SequenceShapes(const Model& model, const std::vector<std::vector<Type>>& types, Findings& findings)
      : model_(model), types_(types), findings_(findings) {}

  void check(GraphIndex index, const Place& place) {
    const Graph& graph = model_.graphs[index];
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      const Place here = place_of(graph, i, place);
      if (node.call || !node.domain.empty()) continue;
      if (makes_sequence(node)) check_declaration(graph, node.outputs[0], index, node, here);
      if (is_if(node)) check_results(graph, node, here);
      for (const Body& body : node.bodies)
        if (body.reference.empty()) check(body.graph, here.word(body.role));
    }
  }

 private:
  static bool makes_sequence(const Node& node) {
    return node.domain.empty() && node.op == "SequenceConstruct" && node.outputs.size() == 1;
  }

  /// The sequences that branches construct are results of the If.
  void check_results(const Graph& graph, const Node& choice, const Place& place) {
    for (const Body& body : choice.bodies) {
      if (!body.reference.empty()) continue;
      const Graph& branch = model_.graphs[body.graph];
      std::unordered_map<Slot, const Node*> makers;
      for (const Node& node : branch.nodes)
        if (makes_sequence(node)) makers.emplace(node.outputs[0], &node);
      for (std::size_t i = 0; i < choice.outputs.size() && i < branch.outputs.size(); ++i) {
        const auto maker = makers.find(branch.outputs[i]);
        if (maker != makers.end())
          check_declaration(graph, choice.outputs[i], body.graph, *maker->second, place.numbered("output", i));
      }
    }
  }

  /// Checks the declared type of the value in `slot` of `graph` against the tensors that `maker` puts into the
  /// sequence.
  void check_declaration(const Graph& graph, Slot slot, GraphIndex maker_graph, const Node& maker, const Place& place) {
    if (slot == no_slot) return;
    const Type& declared = graph.slots[slot].declared;
    if (declared.kind == Type::Kind::sequence && declared.item.front().shape)
      sequence_shape_is_of_all(*declared.item.front().shape, maker_graph, maker, place);
  }

  // Sentences: ir-sequence-dimension, ir-sequence-ranks.
  // Rule: onnx/model/sequence-shape-is-of-all.
  void sequence_shape_is_of_all(const Shape& declared, GraphIndex graph, const Node& maker, const Place& place) {
    step_budget_.spend(maker.inputs.size(), place);
    Shape fixed = declared;  // with the sizes of variables from the tensors so far
    for (const Slot slot : maker.inputs) {
      if (slot == no_slot || !types_[graph][slot].shape) continue;
      const Shape& shape = *types_[graph][slot].shape;
      step_budget_.spend(shape.size(), place);
      const bool fits = std::ranges::equal(fixed, shape, [](const Dim& dim, const Dim& actual) {
        return !dim.known() || !actual.known() || dim.value == actual.value;
      });
      if (!fits) {
        findings_.report("onnx/model/sequence-shape-is-of-all", place,
                         fmt::format("declared as a sequence of tensors of shape {}, but one has the shape {}",
                                     to_string(declared), to_string(shape)),
                         "a shape that all the tensors have, or none");
        return;
      }
      for (std::size_t i = 0; i < fixed.size(); ++i)
        if (!fixed[i].symbol.empty() && shape[i].known()) fixed[i].value = shape[i].value;
    }
  }

  const Model& model_;
  const std::vector<std::vector<Type>>& types_;
  Findings& findings_;
  Budget step_budget_{"steps of checking declared shapes against the tensors of sequences"};
};

}  // namespace

void check_declared_dims(const Model& model, const std::vector<std::vector<Type>>& types, Findings& findings) {
  shared_dims_agree(model.main(), types[0], findings);
  const Place main{.kind = Place::Kind::named, .what = "graph", .name = model.main().name};
  SequenceShapes sequences(model, types, findings);
  sequences.check(0, main);
  for (const Function& function : model.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = function.name};
    sequences.check(function.graph, place);
  }
}

}  // namespace ifcert::rules
