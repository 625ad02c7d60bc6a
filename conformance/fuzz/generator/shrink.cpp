#include "conformance/fuzz/generator/shrink.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/fuzz/generator/shrinking/edit.hpp"

namespace ifcert::generator {
namespace {

using shrinking::Base;
using shrinking::Edits;
using Clock = std::chrono::steady_clock;

constexpr std::array families{shrinking::fewer_runs,      shrinking::fewer_outputs, shrinking::fewer_bodies,
                              shrinking::fewer_stretches, shrinking::fewer_nodes,   shrinking::fewer_results,
                              shrinking::fewer_captures,  shrinking::fewer_inputs,  shrinking::shorter_axes,
                              shrinking::simpler_values,  shrinking::less_metadata};

std::size_t weight_of(const Value& value) {
  if (const Sequence* sequence = value.sequence()) {
    std::size_t weight = 2;
    for (const Value& item : sequence->items) weight += weight_of(item);
    return weight;
  }
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr) return 1;
  const auto bytes = tensor->data.bytes();
  const auto zeros = std::ranges::count(bytes, std::byte{0});
  std::size_t weight = 2 + 4 * tensor->count() + bytes.size() - static_cast<std::size_t>(zeros);
  for (const std::string& text : tensor->strings) weight += text.size();
  return weight;
}

std::size_t weight_of(const Type& type) {
  std::size_t weight = type.known() ? 2 : 0;
  if (type.shape) {
    for (const Dim& dim : *type.shape) weight += 1 + dim.symbol.size();
  }
  for (const Type& item : type.item) weight += weight_of(item);
  return weight;
}

std::size_t weight_of(const Node& node) {
  const bool is_plain = node.op == "Identity" || node.op == "Constant";
  std::size_t weight = (is_plain ? 400 : 1000) + node.name.size() + 40 * (node.inputs.size() + node.outputs.size());
  for (const Body& body : node.bodies) weight += 300 + 60 * body.captures.size();
  for (const auto& [name, attribute] : node.attributes) {
    const auto* value = std::get_if<Value>(&attribute);
    weight += 30 + (value == nullptr ? 0 : weight_of(*value));
  }
  return weight;
}

std::size_t weight_of(const Graph& graph) {
  std::size_t weight = 100 * (graph.inputs.size() + graph.outputs.size()) + graph.name.size();
  for (const Node& node : graph.nodes) weight += weight_of(node);
  for (const Constant& constant : graph.constants) weight += 50 + weight_of(constant.value);
  for (const SlotInfo& slot : graph.slots) weight += 20 + slot.name.size() + weight_of(slot.declared);
  return weight;
}

/// Unknown types where inference exceeds its limits, as with a function of an illegal model that calls itself.
SlotTypes types_of(const Model& model) {
  try {
    return infer_types(model);
  } catch (const UnreadableModel&) {
    SlotTypes unknown;
    for (const Graph& graph : model.graphs) unknown.emplace_back(graph.slots.size());
    return unknown;
  }
}

/// One search: the smallest model so far, and the tries and time that are left.
class Descent {
 public:
  Descent(const Generated& generated, const Shows& shows, const ShrinkLimits& limits)
      : shows_(shows), limits_(limits), result_{generated}, end_(Clock::now() + limits.time) {}

  Shrunk run() {
    bool smaller = true;
    while (smaller && !is_spent()) {
      smaller = false;
      for (const auto& family : families) smaller = exhaust(family) || smaller;
    }
    result_.complete = !is_spent();
    return std::move(result_);
  }

 private:
  bool is_spent() const { return result_.tries >= limits_.tries || Clock::now() >= end_ || limits_.stop(); }

  /// Tries the edits of the family in order. After a success, continues with the edits of the smaller model, at the
  /// same index. True if an edit succeeded.
  bool exhaust(Edits (*family)(const Base&)) {
    bool smaller = false;
    std::size_t number = 0;
    while (!is_spent()) {
      const SlotTypes types = types_of(result_.smallest.model);
      const Base base{result_.smallest, types};
      const Edits edits = family(base);
      const std::size_t found = first_success(edits, number);
      if (found == edits.size()) break;
      number = found;
      smaller = true;
    }
    return smaller;
  }

  std::size_t first_success(const Edits& edits, std::size_t from) {
    for (std::size_t i = from; i < edits.size() && !is_spent(); ++i) {
      if (succeeds(edits[i])) return i;
    }
    return edits.size();
  }

  /// Calls cannot be inlined where a function of an illegal model calls itself.
  static bool changes(const shrinking::Edit& edit, Generated& candidate) {
    try {
      return edit(candidate);
    } catch (const Inexpressible&) {
      return false;
    }
  }

  bool succeeds(const shrinking::Edit& edit) {
    Generated candidate = result_.smallest;
    if (!changes(edit, candidate)) return false;
    shrinking::prune(candidate.model);
    if (generator::weight_of(candidate) >= generator::weight_of(result_.smallest)) return false;
    ++result_.tries;
    if (!shows_(candidate)) return false;
    result_.smallest = std::move(candidate);
    return true;
  }

  const Shows& shows_;
  const ShrinkLimits& limits_;
  Shrunk result_;
  Clock::time_point end_;
};

}  // namespace

std::size_t weight_of(const Generated& generated) {
  std::size_t weight = 0;
  for (const Graph& graph : generated.model.graphs) weight += weight_of(graph);
  weight += 100 * generated.model.functions.size();
  if (generated.manner != Manner::in_turn) weight += 100;
  for (const std::vector<Value>& run : generated.runs) {
    weight += 200;
    for (const Value& value : run) weight += weight_of(value);
  }
  return weight;
}

std::size_t count_of_nodes(const Model& model) {
  std::size_t count = 0;
  for (const Graph& graph : model.graphs) count += graph.nodes.size();
  return count;
}

Shrunk shrink(const Generated& generated, const Shows& shows, const ShrinkLimits& limits) {
  return Descent(generated, shows, limits).run();
}

}  // namespace ifcert::generator
