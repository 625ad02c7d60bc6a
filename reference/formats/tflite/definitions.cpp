#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "formats/tflite/operator_order.hpp"
#include "formats/tflite/subgraph_rules.hpp"
#include "model/node_place.hpp"

namespace ifcert::tflite {
namespace {

std::string tensor_text(const Graph& graph, Slot slot) {
  return graph.slots[slot].name.empty() ? fmt::format("tensor {}", slot)
                                        : fmt::format("tensor {} \"{}\"", slot, shortened(graph.slots[slot].name, 200));
}

class Definitions {
 public:
  Definitions(const Graph& graph, std::vector<bool> ignored, bool has_effects, Findings& findings)
      : graph_(graph),
        ignored_(std::move(ignored)),
        made_(graph.slots.size()),
        has_effects_(has_effects),
        findings_(findings) {}

  // Rule: tflite/file/one-producer.
  void define(Slot slot, const Place& place) {
    if (made_[slot] && !ignored_[slot]) {
      findings_.report("tflite/file/one-producer", place,
                       fmt::format("{} has a value already", tensor_text(graph_, slot)),
                       "a tensor gets its value from one input, buffer or operator");
    }
    made_[slot] = true;
  }

  /// The operator that reads it; nullopt for an output of the subgraph.
  /// Rule: tflite/file/made-before-use.
  void use(Slot slot, const Place& place, std::optional<std::size_t> reader) {
    if (made_[slot] || ignored_[slot]) return;
    findings_.report("tflite/file/made-before-use", place,
                     fmt::format("{} has no value yet: {}", tensor_text(graph_, slot), maker_text(slot, reader)),
                     "an input of the subgraph, a tensor with a buffer, or an output of an earlier operator",
                     Level::error, reader && !findings_.full() && is_made_once_sorted(slot, *reader));
    ignored_[slot] = true;  // reported once
  }

 private:
  std::string maker_text(Slot slot, std::optional<std::size_t> reader) {
    if (makers_.empty()) find_makers();
    const std::size_t maker = makers_[slot];
    if (maker == graph_.nodes.size()) return "nothing makes it";
    if (maker == reader) return "this operator itself makes it";
    return fmt::format("{} makes it, later", describe(graph_, maker));
  }

  /// The operators that make the tensors; the number of operators for a tensor that none makes.
  void find_makers() {
    makers_.assign(graph_.slots.size(), graph_.nodes.size());
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
      for (const Slot slot : graph_.nodes[i].outputs) {
        if (slot != no_slot) makers_[slot] = i;
      }
    }
  }

  /// Whether an operator makes the value, and comes first if the operators are sorted.
  bool is_made_once_sorted(Slot slot, std::size_t reader) {
    if (has_effects_) return false;
    if (makers_.empty()) find_makers();
    if (makers_[slot] == graph_.nodes.size()) return false;
    if (!order_) order_ = operator_order(graph_);
    return order_->placed[reader];
  }

  const Graph& graph_;
  std::vector<bool> ignored_, made_;
  bool has_effects_;
  std::vector<std::size_t> makers_ = {};   // by tensor, built on first use
  std::optional<TopologicalOrder> order_;  // made on first use
  Findings& findings_;
};

}  // namespace

void check_definitions(const Graph& graph, const std::vector<bool>& unmade, bool has_effects, const Place& place,
                       Findings& findings) {
  std::vector<bool> ignored = unmade;
  ignored.resize(graph.slots.size(), true);  // tensors that do not exist were reported
  Definitions definitions(graph, std::move(ignored), has_effects, findings);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) definitions.define(graph.inputs[i], place.numbered("input", i));
  for (const Constant& constant : graph.constants) definitions.define(constant.slot, place);
  for (const Slot slot : graph.unevaluated) definitions.define(slot, place);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Place here = place_of(graph, i, place);
    const Node& node = graph.nodes[i];
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.inputs[k] != no_slot) definitions.use(node.inputs[k], here.numbered("input", k), i);
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
      if (node.outputs[k] != no_slot) definitions.define(node.outputs[k], here.numbered("output", k));
    }
  }
  for (std::size_t i = 0; i < graph.outputs.size(); ++i)
    definitions.use(graph.outputs[i], place.numbered("output", i), std::nullopt);
}

}  // namespace ifcert::tflite
