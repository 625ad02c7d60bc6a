// What a run does besides computing values: it counts its work and its memory, frees the values that no later node
// reads, and replaces sparse constants by tensors when they are read.
#include "evaluation/charges.hpp"
#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"
#include "operators/sparse.hpp"

namespace ifcert {
namespace {

/// The work of entering a graph, for each of its slots, in the meter's steps.
constexpr std::uint64_t steps_per_slot = 10;

/// The elements that a tensor has bytes for; its shape has not been checked yet.
std::uint64_t stored_elements(const Tensor& tensor) {
  const std::size_t bits = bits_of(tensor.type);
  return bits == 0 ? tensor.strings.size() : tensor.data.size() * 8 / bits;
}

}  // namespace

/// Counts the work of entering a graph.
void Run::spend_frame(const Frame& frame, const Place& place) {
  with_place(place, [&] { meter_.spend_steps(frame.size() * steps_per_slot); });
}

/// Counts one node evaluation. A trip of a loop, a test of a While and a batch of a Scan count as one too, so that even
/// a loop with an empty body reaches the limit, RunLimits::nodes.
void Run::spend_node(const Place& place) {
  with_place(place, [&] { meter_.spend_node(); });
}

/// Counts the work of reading a node's operands, before its kernel runs. (Results count the work of making them.)
void Run::count_operands(std::span<const Value> operands, std::uint64_t cost, const Place& place) {
  with_place(place, [&] {
    const Work work(meter_, cost);
    for (const Value& value : operands) {
      if (const Tensor* tensor = value.tensor())
        work.pass(stored_elements(*tensor), tensor->dims.size());
      else if (const Sequence* sequence = value.sequence())
        work.pass(sequence->items.size(), 0);
    }
  });
}

/// After a node: charges the sequences that it returned, and frees the values that no later node reads. `sequences` has
/// the charges for those in the frame.
void Run::settle(const NodeContext& at, SequenceCharges& sequences) {
  charge_sequences(node_of(at), at.frame, at.place, meter_, sequences);
  for (const Slot slot : prepared_.plans[at.graph][at.node].last_read) {  // the next node can use this memory
    at.frame[slot] = {};
    sequences.erase(slot);
  }
}

/// Replaces constants in sparse form by tensors, which the run makes once and keeps.
void Run::make_dense(const std::vector<Slot>& slots, Frame& frame, const Place& place) {
  for (const Slot slot : slots) {
    const SparseTensor* sparse = slot == no_slot ? nullptr : frame[slot].sparse();
    if (sparse == nullptr) continue;
    Value& dense = dense_[sparse];
    if (dense.empty()) {
      Node reader;
      reader.op = "a sparse constant";
      dense = with_place(place, [&] { return kernels::dense_form({reader, {}, nullptr, Work(meter_)}, *sparse); });
    }
    frame[slot] = dense;
  }
}

}  // namespace ifcert
