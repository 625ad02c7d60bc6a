#include "evaluation/charges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "evaluation/failure.hpp"
#include "operators/result.hpp"

namespace ifcert {
namespace {

/// Whether a sequence that the node returned was passed to it: as an operand, or as a value that a body captures.
bool passes_on(const Node& node, std::span<const Value> frame, const Sequence* sequence, Meter& meter) {
  const auto is_it = [&](Slot slot) { return slot != no_slot && frame[slot].sequence() == sequence; };
  meter.spend_steps(node.inputs.size());
  if (std::ranges::any_of(node.inputs, is_it)) return true;
  return std::ranges::any_of(node.bodies, [&](const Body& body) {
    meter.spend_steps(body.captures.size());
    return std::ranges::any_of(body.captures, is_it, &Capture::outer);
  });
}

}  // namespace

std::uint64_t uncharged_by_kernels(const Value& value) {
  constexpr std::uint64_t overhead_per_value = 256;
  const Tensor* tensor = value.tensor();
  return overhead_per_value + (tensor == nullptr ? 0 : kernels::uncharged_bytes(*tensor));
}

void charge_sequences(const Node& node, std::span<const Value> frame, const Place& place, Meter& meter,
                      SequenceCharges& charges) {
  constexpr std::uint64_t steps_per_item = 5;
  for (const Slot slot : node.outputs) {
    const Sequence* sequence = slot == no_slot ? nullptr : frame[slot].sequence();
    if (sequence == nullptr) continue;
    const std::vector<Value>& items = sequence->items;
    with_place(place, [&] {
      std::uint64_t bytes = items.size() * sizeof(Value);
      // A node without bodies adds at most one small item per operand to the items of the sequences that it was passed,
      // which is not worth charging. But a body can make any number of them.
      if (!node.bodies.empty() && !passes_on(node, frame, sequence, meter)) {
        meter.spend_steps(items.size() * steps_per_item);
        for (const Value& item : items) bytes += uncharged_by_kernels(item);
      }
      meter.charge(charges[slot], bytes, [&] { return fmt::format("a sequence of {} items", items.size()); });
    });
  }
}

}  // namespace ifcert
