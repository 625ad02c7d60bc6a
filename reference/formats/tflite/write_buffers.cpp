#include "formats/tflite/write_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/inexpressible.hpp>

namespace ifcert::tflite {
namespace {

/// Offsets in a FlatBuffer are signed and have 32 bits; some are reserved for everything but constants.
constexpr std::size_t most_bytes = (std::size_t{1} << 31) - (std::size_t{1} << 26);

constexpr std::size_t alignment = 16;

void append_number(std::string& bytes, std::size_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(number >> shift & 0xFFU));
}

/// Packs strings: their number, the start of each and the end of the last, their bytes.
std::string bytes_of_strings(const std::vector<std::string>& strings, const Place& place) {
  std::size_t end = 4 * (strings.size() + 2);
  std::string bytes;
  append_number(bytes, strings.size());
  for (const std::string& text : strings) {
    append_number(bytes, end);
    end += text.size();
  }
  if (end > most_bytes) throw Inexpressible(to_string(place), "a FlatBuffer has at most 2 GiB");
  append_number(bytes, end);
  for (const std::string& text : strings) bytes += text;
  return bytes;
}

}  // namespace

WrittenBuffers::WrittenBuffers(flatbuffers::FlatBufferBuilder& builder)
    : builder_(builder), buffers_{schema::CreateBuffer(builder)} {}

std::uint32_t WrittenBuffers::add(const Tensor& tensor, const Place& place) {
  const bool texts = tensor.type == ElementType::string;
  const auto bytes = tensor.data.bytes();
  const void* from = texts ? static_cast<const void*>(tensor.strings.data()) : bytes.data();
  const std::tuple key(texts, from, texts ? tensor.strings.size() : bytes.size());
  if (const auto same = taken_.find(key); same != taken_.end()) return same->second;
  const std::string_view content =
      texts ? std::string_view(strings_.emplace_back(bytes_of_strings(tensor.strings, place)))
            : std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return taken_.emplace(key, add_bytes(content, place)).first->second;
}

std::uint32_t WrittenBuffers::add_bytes(std::string_view bytes, const Place& place) {
  const auto [entry, is_new] = known_.emplace(bytes, static_cast<std::uint32_t>(buffers_.size()));
  if (!is_new) return entry->second;
  if (bytes.size() > most_bytes - std::min<std::size_t>(builder_.GetSize(), most_bytes))
    throw Inexpressible(to_string(place), "a FlatBuffer has at most 2 GiB");
  builder_.ForceVectorAlignment(bytes.size(), 1, alignment);
  buffers_.push_back(schema::CreateBuffer(
      builder_, builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size())));
  return entry->second;
}

}  // namespace ifcert::tflite
