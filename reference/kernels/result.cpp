#include "kernels/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ifcert/elements.hpp>
#include <stdexcept>
#include <utility>

namespace ifcert::kernels {
namespace {

[[noreturn]] void refuse_size(const Node& node, ElementType type, const Dims& dims) {
  refuse(node, fmt::format("a result of {}{} takes more than 4 GiB", name_of(type), to_string(static_shape(dims))));
}

std::uint64_t count_within_limit(const Node& node, ElementType type, const Dims& dims) {
  try {
    const std::uint64_t count = element_count(dims);
    const std::uint64_t element_bytes = type == ElementType::string ? sizeof(std::string) : 0;
    if (count <= tensor_byte_limit * 4 && bytes_of(type, count) + count * element_bytes <= tensor_byte_limit)
      return count;
  } catch (const std::length_error&) {
    refuse_size(node, type, dims);
  }
  refuse_size(node, type, dims);
}

}  // namespace

Result::Result(const Node& node, ElementType type, Dims dims) : count_(count_within_limit(node, type, dims)) {
  tensor_.type = type;
  tensor_.dims = std::move(dims);
  if (type == ElementType::string) {
    tensor_.strings.resize(count_);
    return;
  }
  const std::size_t size = bytes_of(type, count_);
  std::byte* writable = nullptr;
  tensor_.data = Buffer::allocate(size, &writable);
  bytes_ = {writable, size};
}

void Result::append(const Tensor& source, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  const std::uint64_t at = std::exchange(appended_, appended_ + count);
  if (source.type == ElementType::string) {
    for (std::uint64_t i = 0; i < count; ++i) tensor_.strings[at + i] = source.strings[first + i];
    return;
  }
  const std::size_t bits = bits_of(source.type);
  if (is_packed(source.type)) {
    for (std::uint64_t i = 0; i < count; ++i) {
      set_packed_code(bytes_, bits, at + i, packed_code(source.data.bytes(), bits, first + i));
    }
    return;
  }
  const std::size_t size = bits / 8;
  std::memcpy(bytes_.data() + at * size, source.data.bytes().data() + first * size, count * size);
}

Value Result::value() && {
  return std::move(tensor_);
}

Value with_dims(const Tensor& tensor, Dims dims) {
  return Tensor{tensor.type, std::move(dims), tensor.data, tensor.strings};
}

}  // namespace ifcert::kernels
