// A result under construction: a tensor of our own, written once, then handed out.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/operands.hpp"

namespace ifcert::kernels {

/// The most bytes that one tensor may take; a result that would take more is refused before it is allocated.
extern const std::uint64_t tensor_byte_limit;

class Result {
 public:
  /// All elements zero (empty strings). Refuses what is larger than the limit.
  Result(const Node& node, ElementType type, Dims dims);

  const Dims& dims() const { return tensor_.dims; }
  std::uint64_t count() const { return count_; }
  std::span<std::byte> bytes() const { return bytes_; }

  /// The elements as T, whose size is that of the element type.
  template <class T>
  std::span<T> elements() const {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  std::span<std::string> strings() { return tensor_.strings; }

  /// Appends `count` elements of `source`, beginning with element `first`, which must exist and be of the same type.
  void append(const Tensor& source, std::uint64_t first, std::uint64_t count);

  /// The tensor; nothing may be written any more.
  Value value() &&;

 private:
  Tensor tensor_;
  std::uint64_t count_ = 0;
  std::uint64_t appended_ = 0;
  std::span<std::byte> bytes_;
};

/// The tensor with other dims, which must have as many elements; the elements are shared, not copied.
Value with_dims(const Tensor& tensor, Dims dims);

}  // namespace ifcert::kernels
