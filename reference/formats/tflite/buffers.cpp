#include "formats/tflite/buffers.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace ifcert::tflite {
namespace {

/// The number of bytes of constants that may be copied, beyond twice the size of the file.
constexpr std::size_t free_copies = std::size_t{64} << 20;

/// While a file is written, offset 1 means "to be filled in".
constexpr std::uint64_t first_real_offset = 2;

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t index) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
  return number;
}

}  // namespace

// Rules: tflite/file/buffer-index, tflite/file/buffer-in-file.
std::optional<std::span<const std::byte>> Buffers::bytes(std::uint32_t index, const Place& place,
                                                         Findings& findings) const {
  const auto* table = file_.model->buffers();
  const std::uint32_t count = table == nullptr ? 0 : table->size();
  if (index == 0 && count == 0) return std::span<const std::byte>();
  if (index >= count) {
    findings.report("tflite/file/buffer-index", place, fmt::format("buffer {} of {}", index, count),
                    "the index of one of the model's buffers");
    return std::nullopt;
  }
  const schema::Buffer& buffer = *table->Get(index);
  if (buffer.offset() >= first_real_offset && buffer.size() > 0) {
    const std::size_t size = file_.bytes.size();
    if (buffer.offset() <= size && buffer.size() <= size - buffer.offset())
      return file_.bytes.subspan(buffer.offset(), buffer.size());
    findings.report("tflite/file/buffer-in-file", place,
                    fmt::format("buffer {} has size {} and offset {}, in a file of {} bytes", index, buffer.size(),
                                buffer.offset(), size),
                    "bytes inside the file");
    return std::nullopt;
  }
  if (buffer.data() == nullptr) return std::span<const std::byte>();
  return std::as_bytes(std::span(buffer.data()->data(), buffer.data()->size()));
}

// Rule: tflite/file/size-limit.
void Buffers::spend_copy(std::size_t bytes, const Place& place) {
  copied_ += bytes;
  if (copied_ <= 2 * file_.bytes.size() + free_copies) return;
  throw UnreadableModel({"tflite/file/size-limit", to_string(place), "the data of buffers would be copied too often",
                         "a model within this reader's limits"});
}

/// Strings are stored as their number, n + 1 offsets from the buffer's start, and their bytes; numbers are 32-bit
/// little endian ("string_util.h" of TensorFlow Lite; docs/tflite.md).
/// Rule: tflite/file/buffer-fits-shape.
Value Buffers::strings(const Dims& dims, std::span<const std::byte> bytes, const Place& place, Findings& findings) {
  const std::uint64_t count = element_count(dims);
  const auto broken = [&](const std::string& found) {
    findings.report("tflite/file/buffer-fits-shape", place, found,
                    fmt::format("{} strings: their number, their offsets in order and the end, their bytes", count));
    return Value{};
  };
  if (bytes.size() / 4 < 2 || count > bytes.size() / 4 - 2) return broken(fmt::format("{} bytes", bytes.size()));
  if (number_at(bytes, 0) != count) return broken(fmt::format("{} strings", number_at(bytes, 0)));
  spend_copy(bytes.size() + count * sizeof(std::string), place);
  const std::size_t start = 4 * (count + 2);
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = number_at(bytes, i + 1);
    const std::size_t last = number_at(bytes, i + 2);
    if (first < start || first > last || last > bytes.size())
      return broken(fmt::format("string {} is [{}, {}) of {} bytes", i, first, last, bytes.size()));
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()) + first, last - first);
  }
  return make_strings(dims, std::move(strings));
}

// Rule: tflite/file/buffer-fits-shape.
Value Buffers::constant(ElementType type, const Dims& dims, std::span<const std::byte> bytes, const Place& place,
                        Findings& findings) {
  try {
    if (type == ElementType::string && !bytes.empty()) return strings(dims, bytes, place, findings);
    const std::size_t expected = type == ElementType::string ? 0 : bytes_of(type, element_count(dims));
    if (bytes.size() != expected) {
      findings.report("tflite/file/buffer-fits-shape", place, fmt::format("{} bytes", bytes.size()),
                      fmt::format("the {} bytes of a {}{}", expected, name_of(type), to_string(static_shape(dims))));
      return {};
    }
    if (type == ElementType::string) return make_strings(dims, {});
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 16 == 0) return Tensor{type, dims, {file_.owner, bytes}, {}};
    spend_copy(bytes.size(), place);
    return Tensor{type, dims, Buffer::copy_of(bytes), {}};
  } catch (const std::length_error& error) {
    findings.report("tflite/file/buffer-fits-shape", place, error.what(), "a shape that fits the bytes");
  }
  return {};
}

}  // namespace ifcert::tflite
