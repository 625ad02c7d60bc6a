#include "conformance/drawing/known_types.hpp"

namespace ifcert::drawing {

std::string KnownTypes::text(GraphIndex graph, Slot slot) const {
  const bool better = graph < inferred_.size() && slot < inferred_[graph].size() && inferred_[graph][slot].known();
  return to_string(better ? inferred_[graph][slot] : model_.graphs[graph].slots[slot].declared);
}

}  // namespace ifcert::drawing
