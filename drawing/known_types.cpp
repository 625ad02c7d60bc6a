#include "drawing/known_types.hpp"

#include <ifcert/reference.hpp>

namespace ifcert::drawing {
namespace {

std::vector<std::vector<Type>> inferred(const Model& model) {
  try {
    return infer_types(model);
  } catch (const UnreadableModel&) {
    return {};  // the declared types are used instead
  }
}

}  // namespace

KnownTypes::KnownTypes(const Model& model, bool breaks_rules) : model_(model) {
  if (!breaks_rules) inferred_ = inferred(model);
}

std::string KnownTypes::text(GraphIndex graph, Slot slot) const {
  const bool better = graph < inferred_.size() && slot < inferred_[graph].size() && inferred_[graph][slot].known();
  return to_string(better ? inferred_[graph][slot] : model_.graphs[graph].slots[slot].declared);
}

}  // namespace ifcert::drawing
