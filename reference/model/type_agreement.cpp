#include "model/type_agreement.hpp"

#include <algorithm>

namespace ifcert {

bool agree(const Type& a, const Type& b) {
  if (!a.known() || !b.known()) return true;
  if (a.kind != b.kind) return false;
  if (!a.item.empty()) return agree(a.item.front(), b.item.front());
  if (a.element != b.element && a.element != ElementType::undefined && b.element != ElementType::undefined)
    return false;
  if (!a.shape || !b.shape) return true;
  return std::ranges::equal(*a.shape, *b.shape,
                            [](const Dim& x, const Dim& y) { return !x.known() || !y.known() || x.value == y.value; });
}

}  // namespace ifcert
