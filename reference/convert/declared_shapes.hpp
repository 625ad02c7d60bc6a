// Watches whether the values of a run have the shapes that the file declares for them. Translators rely on these
// shapes, so a run that contradicts one may differ after a conversion (docs/convert.md).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/evaluate.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ifcert::translation {

/// A model whose run throws EvaluationError if a value has another shape than the file declares. What its outputs are
/// does not change.
struct Watched {
  Model model;
  CustomOperators operators;
};

inline bool has_shape(const Value& value, const Shape& declared) {
  const auto fits = [](const Dim& dim, std::int64_t size) { return !dim.known() || dim.value == size; };
  return value.tensor() == nullptr || std::ranges::equal(declared, value.tensor()->dims, fits);
}

/// Adds a node to the end of each graph, whose operands are the values with a declared shape.
inline Watched watching_declared_shapes(Model model) {
  Watched watched{std::move(model), {}};
  for (Graph& graph : watched.model.graphs) {
    Node watch;
    watch.domain = "watch";
    watch.op = fmt::format("graph-{}", watched.operators.size());
    std::vector<SlotInfo> declared;
    for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
      if (!graph.slots[slot].declared.is_tensor() || !graph.slots[slot].declared.shape) continue;
      watch.inputs.push_back(slot);
      declared.push_back(graph.slots[slot]);
    }
    watched.operators.emplace(
        watch.domain + "." + watch.op, [declared](const Node&, const Attributes&, std::span<const Value> values) {
          for (std::size_t i = 0; i < values.size(); ++i) {
            if (!has_shape(values[i], *declared[i].declared.shape))
              throw EvaluationError(fmt::format("the value \"{}\" is {}, declared as {}", declared[i].name,
                                                to_string(type_of(values[i])), to_string(declared[i].declared)));
          }
          return std::vector<Value>();
        });
    graph.nodes.push_back(std::move(watch));
  }
  return watched;
}

}  // namespace ifcert::translation
