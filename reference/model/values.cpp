#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ifcert/elements.hpp>
#include <ifcert/values.hpp>
#include <new>

#include "model/unfilled.hpp"

namespace ifcert {

namespace {

/// Returns memory from calloc, whose alignment is sufficient for every element type; throws where it is nullptr.
std::shared_ptr<void> checked(std::shared_ptr<void> owner) {
  if (owner == nullptr) throw std::bad_alloc();
  return owner;
}

/// An alignment sufficient for every element type.
struct alignas(16) Chunk {
  std::byte bytes[16];
};

}  // namespace

Buffer unfilled_buffer(std::size_t size, std::byte** writable) {
  std::shared_ptr<Chunk[]> owner = std::make_shared_for_overwrite<Chunk[]>(size / sizeof(Chunk) + 1);
  *writable = owner[0].bytes;
  const std::span<const std::byte> bytes(*writable, size);
  return {std::move(owner), bytes};
}

Buffer Buffer::allocate(std::size_t size, std::byte** writable) {
  // calloc: pages that are never touched cost nothing.
  std::shared_ptr<void> owner = checked({std::calloc(size == 0 ? 1 : size, 1), std::free});
  *writable = static_cast<std::byte*>(owner.get());
  const std::span<const std::byte> bytes(*writable, size);
  return {std::move(owner), bytes};
}

Buffer Buffer::copy_of(std::span<const std::byte> bytes) {
  std::byte* writable = nullptr;
  Buffer copy = unfilled_buffer(bytes.size(), &writable);
  if (!bytes.empty()) std::memcpy(writable, bytes.data(), bytes.size());
  return copy;
}

Value::Value(Tensor tensor) : held_(std::make_shared<const Tensor>(std::move(tensor))) {}
Value::Value(Sequence sequence) : held_(std::make_shared<const Sequence>(std::move(sequence))) {}
Value::Value(Optional optional) : held_(std::make_shared<const Optional>(std::move(optional))) {}
Value::Value(SparseTensor sparse) : held_(std::make_shared<const SparseTensor>(std::move(sparse))) {}

const Tensor* Value::tensor() const {
  const auto* held = std::get_if<std::shared_ptr<const Tensor>>(&held_);
  return held == nullptr ? nullptr : held->get();
}

const Sequence* Value::sequence() const {
  const auto* held = std::get_if<std::shared_ptr<const Sequence>>(&held_);
  return held == nullptr ? nullptr : held->get();
}

const Optional* Value::optional() const {
  const auto* held = std::get_if<std::shared_ptr<const Optional>>(&held_);
  return held == nullptr ? nullptr : held->get();
}

const SparseTensor* Value::sparse() const {
  const auto* held = std::get_if<std::shared_ptr<const SparseTensor>>(&held_);
  return held == nullptr ? nullptr : held->get();
}

Type type_of(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return Type::tensor(tensor->type, static_shape(tensor->dims));
  if (const Sequence* sequence = value.sequence()) return Type::sequence_of(sequence->item);
  if (const Optional* optional = value.optional()) return Type::optional_of(optional->item);
  if (const SparseTensor* sparse = value.sparse()) return Type::tensor(sparse->values.type, static_shape(sparse->dims));
  return {};
}

Tensor make_strings(Dims dims, std::vector<std::string> strings) {
  return {ElementType::string, std::move(dims), {}, std::move(strings)};
}

namespace {

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.type != b.type || a.dims != b.dims || a.strings != b.strings) return false;
  const auto x = a.data.bytes();
  const auto y = b.data.bytes();
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

std::string to_string(const Tensor& tensor) {
  constexpr std::uint64_t shown = 16;
  const std::uint64_t count = tensor.count();
  std::string text = fmt::format("{}{} [", name_of(tensor.type), to_string(static_shape(tensor.dims)));
  for (std::uint64_t i = 0; i < std::min(count, shown); ++i) {
    if (i > 0) text += ", ";
    text += element_text(tensor, i);
  }
  return text + (count > shown ? fmt::format(", … {} more]", count - shown) : "]");
}

}  // namespace

bool same_bits(const Value& a, const Value& b) {
  if (a.tensor() != nullptr && b.tensor() != nullptr) return same_bits(*a.tensor(), *b.tensor());
  if (a.sequence() != nullptr && b.sequence() != nullptr) {
    const auto& x = a.sequence()->items;
    const auto& y = b.sequence()->items;
    return kind_text(type_of(a)) == kind_text(type_of(b)) &&
           std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Value& p, const Value& q) { return same_bits(p, q); });
  }
  if (a.optional() != nullptr && b.optional() != nullptr) {
    return kind_text(type_of(a)) == kind_text(type_of(b)) && same_bits(a.optional()->value, b.optional()->value);
  }
  if (a.sparse() != nullptr && b.sparse() != nullptr) {
    return a.sparse()->dims == b.sparse()->dims && same_bits(a.sparse()->values, b.sparse()->values) &&
           same_bits(a.sparse()->indices, b.sparse()->indices);
  }
  return a.empty() && b.empty();
}

std::string to_string(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return to_string(*tensor);
  if (const Sequence* sequence = value.sequence()) {
    std::string text = kind_text(type_of(value)) + " [";
    for (const Value& item : sequence->items) text += (&item == sequence->items.data() ? "" : ", ") + to_string(item);
    return text + "]";
  }
  if (const Optional* optional = value.optional()) {
    return fmt::format("{} {}", kind_text(type_of(value)),
                       optional->value.empty() ? "absent" : to_string(optional->value));
  }
  if (const SparseTensor* sparse = value.sparse())
    return fmt::format("sparse {} with {} values", to_string(type_of(value)), sparse->values.count());
  return "nothing";
}

}  // namespace ifcert
