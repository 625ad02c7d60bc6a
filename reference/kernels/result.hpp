// A result under construction: a tensor of our own, written once, then handed out.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/operands.hpp"
#include "meter.hpp"

namespace ifcert::kernels {

/// The most bytes that one tensor may take outside of a run; in a run the limit is what all values may take.
extern const std::uint64_t tensor_byte_limit;

/// Bytes of the largest result that a run does not count: what a graph holds of them is little, and what a loop
/// collects of them is counted there.
inline constexpr std::uint64_t small_result = 1024;

/// What a dim costs whoever goes through a tensor's dims, in steps of the meter.
inline constexpr std::uint64_t steps_of_a_dim = 10;

class Result {
 public:
  /// All elements zero (empty strings). Refuses what is larger than the run may hold, or than the limit where there is
  /// no run.
  Result(const Operands& operands, ElementType type, Dims dims);

  const Dims& dims() const { return tensor_.dims; }
  std::uint64_t count() const { return count_; }
  std::span<std::byte> bytes() const { return bytes_; }

  /// The elements as T, whose size is that of the element type.
  template <class T>
  std::span<T> elements() const {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// Makes element `i` of a tensor of strings that text.
  void set_string(std::uint64_t i, std::string text);

  /// Appends `count` elements of `source`, beginning with element `first`, which must exist and be of the same type.
  void append(const Tensor& source, std::uint64_t first, std::uint64_t count);

  /// The tensor; nothing may be written any more.
  Value value() &&;

 private:
  void append_string(const std::string& text, std::uint64_t at);
  void append_bytes(const Tensor& source, std::uint64_t first, std::uint64_t count, std::uint64_t at);

  Meter* meter_;
  Charge* charge_ = nullptr;  // where the result is so large that the run counts it
  Tensor tensor_;
  std::uint64_t count_ = 0;
  std::uint64_t appended_ = 0;
  std::span<std::byte> bytes_;
};

/// The tensor with other dims, which must have as many elements. Numbers are shared where the run does not count the
/// dims; strings are copied.
Value with_dims(const Operands& operands, const Tensor& tensor, Dims dims);

}  // namespace ifcert::kernels
