// Charges memory that kernels leave uncharged. A kernel does not charge a small result, but a loop or a sequence may
// hold any number of small results.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <ifcert/values.hpp>
#include <map>
#include <span>

#include "limits/meter.hpp"
#include "model/place.hpp"

namespace ifcert {

/// The part of a value's memory that kernels leave uncharged: a fixed overhead for any value, plus its bytes if it is a
/// small result (operators/result.hpp).
std::uint64_t uncharged_by_kernels(const Value& value);

/// By slot of a frame: the charge for the item list of the sequence in that slot.
using SequenceCharges = std::map<Slot, Charge>;

/// Charges the list of each sequence that the node returned. Charges its small items too if a body made them, because a
/// body may make many. `frame[slot]` are the values of the node's graph.
void charge_sequences(const Node& node, std::span<const Value> frame, const Place& place, Meter& meter,
                      SequenceCharges& charges);

}  // namespace ifcert
