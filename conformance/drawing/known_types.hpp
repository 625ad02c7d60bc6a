// The types of a model's values, as far as they are known before a run.
#pragma once

#include <ifcert/graph.hpp>
#include <span>
#include <string>
#include <vector>

namespace ifcert::drawing {

class KnownTypes {
 public:
  /// The inferred types (for an If's output, the union of its branches' types); for a model that breaks rules, and
  /// where inference is not certain, the declared ones. The model and the types must outlive this.
  KnownTypes(const Model& model, std::span<const std::vector<Type>> inferred, bool breaks_rules)
      : model_(model), inferred_(breaks_rules ? std::span<const std::vector<Type>>() : inferred) {}

  /// "float32[2, ?]"; "?" where nothing is known.
  std::string text(GraphIndex graph, Slot slot) const {
    const bool better = graph < inferred_.size() && slot < inferred_[graph].size() && inferred_[graph][slot].known();
    return to_string(better ? inferred_[graph][slot] : model_.graphs[graph].slots[slot].declared);
  }

 private:
  const Model& model_;
  std::span<const std::vector<Type>> inferred_;
};

}  // namespace ifcert::drawing
