#include "scan_output.hpp"

#include "kernels/operands.hpp"
#include "kernels/stack.hpp"

namespace ifcert {
namespace {

Tensor no_trips(const Node& node, const Type& item, std::int64_t axis) {
  if (!item.is_tensor() || !item.shape) return {item.element, {0}, {}, {}};
  Tensor none{item.element, {}, {}, {}};
  for (const Dim& dim : *item.shape) none.dims.push_back(dim.known() ? dim.value : 0);
  const std::size_t at = kernels::axis_from_front(node, axis, none.dims.size() + 1);
  none.dims.insert(none.dims.begin() + static_cast<std::ptrdiff_t>(at), 0);
  return none;
}

}  // namespace

Value stack_trips(const Node& node, std::span<const Value> trips, const Type& item, std::int64_t axis) {
  return trips.empty() ? Value(no_trips(node, item, axis)) : kernels::stacked(node, trips, axis);
}

}  // namespace ifcert
