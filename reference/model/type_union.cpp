#include "model/type_union.hpp"

#include <utility>

namespace ifcert {

Type refine(Type type, const Type& other) {
  if (!type.known()) return other;
  if (!other.known() || type.kind != other.kind) return type;
  if (!type.item.empty()) {
    type.item.front() = refine(std::move(type.item.front()), other.item.front());
    return type;
  }
  if (type.element == ElementType::undefined) type.element = other.element;
  if (!type.shape) {
    type.shape = other.shape;
  } else if (other.shape && other.shape->size() == type.shape->size()) {
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
      Dim& dim = (*type.shape)[i];
      if (!dim.known() && dim.symbol.empty()) dim = (*other.shape)[i];
    }
  }
  return type;
}

Type without_shapes(Type type) {
  type.shape.reset();
  for (Type& item : type.item) item = without_shapes(std::move(item));
  return type;
}

bool agree_except_shape(const Type& a, const Type& b) {
  if (!a.known() || !b.known()) return true;
  if (a.kind != b.kind) return false;
  if (!a.item.empty()) return agree_except_shape(a.item.front(), b.item.front());
  return a.element == b.element || a.element == ElementType::undefined || b.element == ElementType::undefined;
}

// Rules: onnx/if/shape-union, openvino/if/output-shape-may-be-undefined, openvino/if/dynamic-shape.
Type union_of(const Type& a, const Type& b) {
  if (!a.known() || !b.known() || a.kind != b.kind) return {};
  Type both = a;
  if (!a.item.empty()) {
    both.item.front() = union_of(a.item.front(), b.item.front());
    return both;
  }
  if (a.element != b.element) both.element = ElementType::undefined;
  if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) {
    both.shape.reset();
    return both;
  }
  for (std::size_t i = 0; i < both.shape->size(); ++i) {
    if ((*a.shape)[i] != (*b.shape)[i]) (*both.shape)[i] = {};
  }
  return both;
}

}  // namespace ifcert
