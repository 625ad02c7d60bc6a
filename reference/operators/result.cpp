#include "operators/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ifcert/elements.hpp>
#include <new>
#include <stdexcept>
#include <utility>

#include "model/unfilled.hpp"

namespace ifcert::kernels {
namespace {

std::string text_of(const Node& node, ElementType type, const Dims& dims) {
  return fmt::format("{}: a result of {}{}", node.op, name_of(type), to_string(static_shape(dims)));
}

[[noreturn]] void refuse_size(const Node& node, ElementType type, const Dims& dims) {
  throw EvaluationError(text_of(node, type, dims) + " takes more than 4 GiB");
}

/// The bytes of a tensor, without the contents of its strings.
struct ResultSize {
  std::uint64_t count;
  std::uint64_t bytes;
};

ResultSize result_size(const Node& node, ElementType type, const Dims& dims) {
  constexpr std::uint64_t countable = std::uint64_t{1} << 56;
  try {
    const std::uint64_t count = element_count(dims);
    const std::uint64_t element_bytes = type == ElementType::string ? sizeof(std::string) : 0;
    if (count <= countable) return {count, bytes_of(type, count) + count * element_bytes};
  } catch (const std::length_error&) {
    refuse_size(node, type, dims);
  }
  refuse_size(node, type, dims);
}

/// The memory for the dims of a tensor, counted only where there are many: a file may contain a tensor of rank 1000000.
std::uint64_t bytes_of_many_dims(const Dims& dims) {
  const std::uint64_t bytes = dims.size() * sizeof(std::int64_t);
  return bytes > small_result ? bytes : 0;
}

/// The memory of a string besides the object itself, in which short strings are stored.
std::uint64_t content_bytes(const std::string& text) {
  return text.size() < sizeof(std::string) / 2 ? 0 : text.size() + 1;
}

/// Frees memory from calloc, and releases its charge. (calloc, because pages of zeros that are never touched cost
/// nothing.)
struct Freed {
  Charge charge;
  void operator()(void* bytes) const { std::free(bytes); }  // NOLINT(cppcoreguidelines-owning-memory): its owner's
};

}  // namespace

std::uint64_t uncharged_bytes(const Tensor& result) {
  const std::uint64_t bytes =
      result.data.size() + result.strings.size() * sizeof(std::string) + bytes_of_many_dims(result.dims);
  return bytes <= small_result ? bytes : 0;
}

Result::Result(const Operands& operands, ElementType type, Dims dims) : work_(operands.work) {
  const ResultSize size = result_size(operands.node, type, dims);
  const std::uint64_t taken = size.bytes + bytes_of_many_dims(dims);
  Charge charge;
  if (!work_.is_in_run() && size.bytes > tensor_byte_limit) refuse_size(operands.node, type, dims);
  if (taken > small_result) work_.charge(charge, taken, [&] { return text_of(operands.node, type, dims); });
  work_.pass(size.count, dims.size());
  count_ = size.count;
  tensor_.type = type;
  tensor_.dims = std::move(dims);
  const bool strings = type == ElementType::string;
  const std::size_t bytes = strings ? 0 : size.bytes;
  if (strings) tensor_.strings.resize(count_);
  if (!strings && taken <= small_result) {  // in one allocation with its owner
    std::byte* writable = nullptr;
    tensor_.data = unfilled_buffer(bytes, &writable);
    bytes_ = {writable, bytes};
    std::ranges::fill(bytes_, std::byte{});
    return;
  }
  void* zeros = std::calloc(bytes == 0 ? 1 : bytes, 1);  // NOLINT(cppcoreguidelines-owning-memory): owned below
  if (zeros == nullptr) throw std::bad_alloc();
  std::shared_ptr<void> owner(zeros, Freed{std::move(charge)});
  if (strings) charge_ = &std::get_deleter<Freed>(owner)->charge;
  bytes_ = {static_cast<std::byte*>(zeros), bytes};
  tensor_.data = Buffer(std::move(owner), bytes_);
}

void Result::set_string(std::uint64_t i, std::string text) {
  const std::uint64_t bytes = content_bytes(text);
  if (bytes > 0) work_.charge(*charge_, bytes, [] { return "a string of the result"; });
  tensor_.strings[i] = std::move(text);
}

void Result::append(const Tensor& source, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t at = std::exchange(appended_, appended_ + count);
  if (count <= 1) work_.tick(1);  // a kernel may append nothing, many times
  if (source.type == ElementType::string) {
    for (std::uint64_t i = 0; i < count; ++i) append_string(source.strings[first + i], at + i);
    return;
  }
  if (count == 1) return append_bytes(source, first, 1, at);
  in_pieces(work_, count, [&](std::uint64_t begin, std::uint64_t end) {
    append_bytes(source, first + begin, end - begin, at + begin);
  });
}

/// Checks that the string fits before it is copied.
void Result::append_string(const std::string& text, std::uint64_t at) {
  constexpr std::uint64_t steps_of_a_string = 20;
  const std::uint64_t bytes = content_bytes(text);
  work_.tick(steps_of_a_string + bytes / 8);
  if (bytes > 0) work_.expect_room(bytes, [] { return "a string of the result"; });
  set_string(at, text);
}

void Result::append_bytes(const Tensor& source, std::uint64_t first, std::uint64_t count, std::uint64_t at) {
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

Value with_dims(const Operands& operands, const Tensor& tensor, Dims dims) {
  const bool few_dims = bytes_of_many_dims(dims) == 0;
  if (few_dims && tensor.type != ElementType::string) return Tensor{tensor.type, std::move(dims), tensor.data, {}};
  Result result(operands, tensor.type, std::move(dims));
  result.append(tensor, 0, tensor.count());
  return std::move(result).value();
}

}  // namespace ifcert::kernels
