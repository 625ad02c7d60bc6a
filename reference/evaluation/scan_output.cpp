#include "evaluation/scan_output.hpp"

#include <algorithm>
#include <utility>

#include "operators/operands.hpp"
#include "operators/result.hpp"
#include "operators/stack.hpp"

namespace ifcert {
namespace {

Tensor empty_stack(const Node& node, const Type& trip_type, std::int64_t axis) {
  if (trip_type.element == ElementType::undefined)
    kernels::refuse(node, "no trip returns this output, and nothing else determines its element type");
  if (!trip_type.shape) return {trip_type.element, {0}, {}, {}};
  Tensor none{trip_type.element, {}, {}, {}};
  for (const Dim& dim : *trip_type.shape) none.dims.push_back(dim.known() ? dim.value : 0);
  const std::size_t at = kernels::axis_from_front(node, axis, none.dims.size() + 1);
  none.dims.insert(none.dims.begin() + static_cast<std::ptrdiff_t>(at), 0);
  return none;
}

}  // namespace

Value stack_trips(const kernels::Operands& context, std::span<const Value> trips, const Type& trip_type,
                  std::int64_t axis) {
  return trips.empty() ? Value(empty_stack(context.node, trip_type, axis)) : kernels::stacked(context, trips, axis);
}

void pad_batches(const kernels::Operands& context, std::span<Value> batches, std::int64_t length, Charge& charge) {
  const auto had_a_trip = [](const Value& batch) { return batch.tensor()->dims.front() > 0; };
  const auto example = std::ranges::find_if(batches, had_a_trip);
  if (example == batches.end()) return;
  const ElementType type = example->tensor()->type;
  Dims dims = example->tensor()->dims;
  for (Value& batch : batches) {
    const Tensor& stacked = *batch.tensor();
    dims.front() = stacked.dims.front();
    // A batch of another type or element shape is left as it is: stack_trips() will refuse it.
    if (had_a_trip(batch) && (stacked.type != type || stacked.dims != dims)) continue;
    dims.front() = length;
    kernels::Result padded(context, type, dims);
    if (had_a_trip(batch)) padded.append(stacked, 0, stacked.count());
    batch = std::move(padded).value();
    context.work.charge(charge, kernels::uncharged_bytes(*batch.tensor()), [] { return "one more padded batch"; });
  }
}

}  // namespace ifcert
