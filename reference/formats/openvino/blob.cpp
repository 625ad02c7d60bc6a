#include "formats/openvino/blob.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace ifcert::openvino {
namespace {

constexpr std::size_t constant_alignment = 16;

void add_number(std::string& bytes, std::size_t number) {
  if (number > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("strings of more than 4 GiB");
  const auto narrow = static_cast<std::uint32_t>(number);
  bytes.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
}

/// Packs strings: their number, n + 1 ends (the first one 0), and their bytes; numbers are 32-bit little endian.
std::string packed(const std::vector<std::string>& strings) {
  std::string bytes;
  add_number(bytes, strings.size());
  std::size_t end = 0;
  add_number(bytes, end);
  for (const std::string& string : strings) add_number(bytes, end += string.size());
  for (const std::string& string : strings) bytes += string;
  return bytes;
}

}  // namespace

Blob::Range Blob::add(const Tensor& tensor) {
  const std::span<const std::byte> data = tensor.data.bytes();
  const bool texts = tensor.type == ElementType::string;
  const void* from = texts ? static_cast<const void*>(tensor.strings.data()) : data.data();
  const std::pair key(from, texts ? tensor.strings.size() : data.size());
  if (const auto same = taken_.find(key); key.second != 0 && same != taken_.end()) return same->second;
  if (texts || data.empty()) return taken_[key] = append(tensor);
  const std::string_view content(reinterpret_cast<const char*>(data.data()), data.size());
  const auto known = known_.find(content);
  return taken_[key] = known != known_.end() ? known->second : known_[content] = append(tensor);
}

Blob::Range Blob::append(const Tensor& tensor) {
  bytes_.resize((bytes_.size() + constant_alignment - 1) / constant_alignment * constant_alignment);
  const std::size_t offset = bytes_.size();
  const std::span<const std::byte> data = tensor.data.bytes();
  if (tensor.type == ElementType::string)
    bytes_ += packed(tensor.strings);
  else
    bytes_.append(reinterpret_cast<const char*>(data.data()), data.size());
  const std::size_t size = bytes_.size() - offset;
  if (size == 0) bytes_.push_back('\0');  // OpenVINO reads no constant from an empty file
  return {offset, size};
}

}  // namespace ifcert::openvino
