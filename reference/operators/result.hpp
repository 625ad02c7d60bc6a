// A result under construction: a new tensor, written once, then returned.
#pragma once

#include <cstdint>
#include <span>

#include "limits/work.hpp"
#include "operators/operands.hpp"

namespace ifcert::kernels {

/// The limit of the bytes of one tensor outside a run; in a run there is a limit for all values together.
extern const std::uint64_t tensor_byte_limit;

/// The largest result, in bytes, that a run does not count. A graph holds only few such results; loops and sequences,
/// which may hold many of them, count them.
inline constexpr std::uint64_t small_result = 1024;

/// The bytes of a small result, which a run does not count; 0 if the result is larger. The contents of its strings are
/// left out: a run counts those of every result.
std::uint64_t uncharged_bytes(const Tensor& result);

class Result {
 public:
  /// All elements are zero (empty strings). Refuses a tensor that is larger than the memory left to the run, or than
  /// the limit where there is no run.
  Result(const Operands& operands, ElementType type, Dims dims);

  const Dims& dims() const { return tensor_.dims; }
  std::uint64_t count() const { return count_; }
  std::span<std::byte> bytes() const { return bytes_; }

  /// The elements as T, whose size is that of the element type.
  template <class T>
  std::span<T> elements() const {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// Sets element `i` of a tensor of strings.
  void set_string(std::uint64_t i, std::string text);

  /// Appends `count` elements of `source`, beginning with element `first`, which must exist and be of the same type.
  void append(const Tensor& source, std::uint64_t first, std::uint64_t count);

  /// The finished tensor.
  Value value() &&;

 private:
  void append_string(const std::string& text, std::uint64_t at);
  void append_bytes(const Tensor& source, std::uint64_t first, std::uint64_t count, std::uint64_t at);

  Work work_;
  Charge* charge_ = nullptr;  // for the contents of strings; nullptr where there are none
  Tensor tensor_;
  std::uint64_t count_ = 0;
  std::uint64_t appended_ = 0;
  std::span<std::byte> bytes_;
};

/// The tensor with other dims, which must span as many elements. Strings are copied. Numbers are shared with `tensor`,
/// unless the dims take more than `small_result` bytes, which the run must charge: then the numbers are copied too.
Value with_dims(const Operands& operands, const Tensor& tensor, Dims dims);

}  // namespace ifcert::kernels
