// Numpy-style broadcasting (ONNX, "Broadcasting"), and the limited form of operator sets before 7.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "operators/operands.hpp"

namespace ifcert::kernels {

/// The dims to which both broadcast; -1 is an unknown dim, in operands and result. Refuses dims that do not fit.
Dims broadcast_dims(const Node& node, const Dims& a, const Dims& b);

/// The second operand's dims, to be broadcast as operator sets before 7 define it: `broadcast` and `axis` align them
/// with the first operand's. Refuses dims that do not fit.
Dims legacy_second_dims(const Operands& operands, const Dims& a, const Dims& b);
Dims legacy_second_dims(const OperandTypes& operands, const Dims& a, const Dims& b);

/// Walks an operand's elements in the order of the result's elements.
class BroadcastIndex {
 public:
  /// `operand` must broadcast to `result`, and `result` must have elements.
  BroadcastIndex(const Dims& operand, const Dims& result);

  /// The distance between the operand's elements for one element of the result and for the next: 1, or 0 where there is
  /// only one element; nullopt where it varies.
  std::optional<std::uint64_t> step() const { return axes_.empty() ? std::optional(step_) : std::nullopt; }

  /// The index of the operand's element for the next element of the result.
  std::uint64_t next() {
    const std::uint64_t index = index_;
    if (axes_.empty()) {
      index_ += step_;
    } else {
      advance();
    }
    return index;
  }

 private:
  struct Axis {
    std::int64_t size;
    std::uint64_t step;  // 0 where the operand is repeated
    std::int64_t at;
  };

  void advance();

  std::uint64_t index_ = 0;
  std::uint64_t step_ = 0;
  std::vector<Axis> axes_;  // the last axis first; empty where every step is the same
};

}  // namespace ifcert::kernels
