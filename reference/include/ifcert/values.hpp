// Values are immutable and shared. Passing a value on copies a pointer, never its bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <ifcert/types.hpp>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ifcert {

/// Bytes that are fetched when they are first used: a piece of a large file of weights.
class DeferredBytes {
 public:
  DeferredBytes() = default;
  DeferredBytes(const DeferredBytes&) = delete;
  DeferredBytes& operator=(const DeferredBytes&) = delete;
  virtual ~DeferredBytes() = default;

  /// The address of the bytes, which are fetched first if necessary. Throws what fetch() throws, at each attempt.
  const std::byte* need() const {
    if (const std::byte* there = there_.load(std::memory_order_acquire)) return there;
    const std::byte* fetched = fetch();
    there_.store(fetched, std::memory_order_release);
    return fetched;
  }

 private:
  /// May be called by several threads at once; returns the same address to each.
  virtual const std::byte* fetch() const = 0;

  mutable std::atomic<const std::byte*> there_ = nullptr;
};

/// Bytes with an owner: a piece of a file that was read, or an allocation. Immutable once made.
class Buffer {
 public:
  Buffer() = default;

  /// Bytes that live inside something else (a file's bytes, a caller's array) and keep it alive.
  Buffer(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), start_(bytes.data()), size_(bytes.size()) {}

  /// `size` bytes that `deferred` fetches when they are first used; it keeps them alive.
  Buffer(const std::shared_ptr<const DeferredBytes>& deferred, std::size_t size)
      : owner_(deferred), deferred_(deferred.get()), size_(size) {}

  /// A copy of the bytes, aligned for every element type.
  static Buffer copy_of(std::span<const std::byte> bytes);

  /// A new allocation of `size` zero bytes, to be filled through `writable` before the buffer is shared.
  static Buffer allocate(std::size_t size, std::byte** writable);

  /// Throws UnreadableModel where the bytes have yet to be read from a file that has changed.
  std::span<const std::byte> bytes() const { return {deferred_ == nullptr ? start_ : deferred_->need(), size_}; }

  /// The number of bytes; fetches nothing.
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<const void> owner_;
  const DeferredBytes* deferred_ = nullptr;  // lives in the owner
  const std::byte* start_ = nullptr;
  std::size_t size_ = 0;
};

/// Elements row by row. `strings` holds the elements of a string tensor, `data` (little endian; 4- and 2-bit types
/// packed, lowest bits first) those of every other type.
struct Tensor {
  ElementType type = ElementType::undefined;
  Dims dims;
  Buffer data;
  std::vector<std::string> strings;

  std::uint64_t count() const { return element_count(dims); }

  /// The elements as a span of T; T must have the size of the element type, which must not be packed or string.
  template <class T>
  std::span<const T> elements() const {
    return {reinterpret_cast<const T*>(data.bytes().data()), data.bytes().size() / sizeof(T)};
  }
};

struct Sequence;
struct Optional;
struct SparseTensor;

/// A tensor, a sequence, an optional, or nothing (a slot not yet filled, an operand left out). A constant of a model
/// may be a tensor in sparse form, which a run turns into a tensor when a node first reads it.
class Value {
 public:
  Value() = default;
  Value(Tensor tensor);
  Value(Sequence sequence);
  Value(Optional optional);
  Value(SparseTensor sparse);

  bool empty() const { return std::holds_alternative<std::monostate>(held_); }

  /// The tensor, sequence, optional or sparse tensor; nullptr where the value is something else.
  const Tensor* tensor() const;
  const Sequence* sequence() const;
  const Optional* optional() const;
  const SparseTensor* sparse() const;

 private:
  std::variant<std::monostate, std::shared_ptr<const Tensor>, std::shared_ptr<const Sequence>,
               std::shared_ptr<const Optional>, std::shared_ptr<const SparseTensor>>
      held_;
};

/// `item` is the type of the items; it is set even if the sequence is empty.
struct Sequence {
  Type item;
  std::vector<Value> items;
};

/// `value` is empty if the optional holds nothing. `item` is the type of the value, or the type that a value would
/// have.
struct Optional {
  Type item;
  Value value;
};

/// ONNX's sparse form of a tensor: the elements `values`, each at its own of the `indices`; all other elements are zero
/// (of strings: empty). The indices have the shape [NNZ, rank], or [NNZ] where they count elements row by row.
struct SparseTensor {
  Tensor values, indices;
  Dims dims;
};

/// The type of a value, with its shape; for a tensor in sparse form that of the tensor. `unknown` for an empty value.
Type type_of(const Value& value);

/// A tensor of these elements; T is a native type whose size is that of the element type (bool as std::uint8_t).
template <class T>
Tensor make_tensor(ElementType type, Dims dims, std::span<const T> elements) {
  return {type, std::move(dims), Buffer::copy_of(std::as_bytes(elements)), {}};
}

Tensor make_strings(Dims dims, std::vector<std::string> strings);

/// Same type, same shape, same bits; sequences are compared item by item.
bool same_bits(const Value& a, const Value& b);

/// "float32[2] [1, 2]": type, shape and the first elements, for messages and traces. 4-bit and 8-bit floats as numbers.
std::string to_string(const Value& value);

}  // namespace ifcert
