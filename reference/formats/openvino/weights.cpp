#include "formats/openvino/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "formats/openvino/types.hpp"
#include "formats/openvino/xml.hpp"

namespace ifcert::openvino {
namespace {

/// The memory that constants may take, beyond three times the size of the file.
constexpr std::size_t free_copies = 64 << 20;

/// An alignment sufficient for every element type.
constexpr std::size_t alignment = 16;

std::optional<std::uint64_t> bytes_number(const pugi::xml_node& data, const char* name) {
  const std::string_view text = attribute_of(data, name).value_or("");
  std::uint64_t number = 0;
  const char* end = std::to_address(text.end());
  const auto [rest, error] = std::from_chars(std::to_address(text.begin()), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::optional<Dims> static_dims(const pugi::xml_node& data) {
  const auto written = shape_of(attribute_of(data, "shape").value_or("?"));
  if (!written || !written->shape || !std::ranges::all_of(*written->shape, &Dim::known)) return std::nullopt;
  Dims dims;
  for (const Dim& dim : *written->shape) dims.push_back(dim.value);
  return dims;
}

std::size_t number_at(std::span<const std::byte> bytes, std::size_t index) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
  return number;
}

// Rule: openvino/ir/constant-in-weights.
void report_constant(const Place& place, Findings& findings, const std::string& found, const std::string& expected) {
  findings.report("openvino/ir/constant-in-weights", place, found, expected);
}

}  // namespace

/// A symbolic link may lead out of the folder, so the canonical path counts.
/// Rules: openvino/ir/weights-are-readable, openvino/ir/weights-in-folder.
void Weights::open(const Place& place) {
  if (!xml_) return;
  const std::filesystem::path xml = *std::exchange(xml_, std::nullopt);
  const std::filesystem::path path = std::filesystem::path(xml).replace_extension(".bin");
  const std::filesystem::path parent = path.parent_path();
  const std::string name = path.filename().string();
  try {
    const std::filesystem::path folder = std::filesystem::canonical(parent.empty() ? "." : parent);
    if (std::filesystem::canonical(path).parent_path() != folder) {
      throw UnreadableModel({"openvino/ir/weights-in-folder", to_string(place),
                             fmt::format("{} leads out of the model's folder", name), "a file beside the .xml"});
    }
    file_.emplace(path);
  } catch (const std::system_error& error) {
    const bool irregular = error.code() == std::errc::invalid_argument;
    throw UnreadableModel({"openvino/ir/weights-are-readable", to_string(place),
                           fmt::format("{}: {}", name, irregular ? "not a regular file" : error.code().message()),
                           "a readable .bin beside the .xml, where the model has constants"});
  }
}

void Weights::spend_copy(std::size_t bytes, const Place& place) {
  copied_ += bytes;
  expect_memory(place);
}

/// The .bin is in memory, or will be, apart from what was copied.
/// Rule: openvino/ir/size-limit.
void Weights::expect_memory(const Place& place) const {
  const std::size_t memory = copied_ + (file_ ? file_->memory() : bytes_.size());
  if (memory <= 3 * size() + free_copies) return;
  throw UnreadableModel({"openvino/ir/size-limit", to_string(place), "constants would be copied too often",
                         "a model within this reader's limits"});
}

/// Bytes of the .bin, aligned for every element type. Any number of constants may use overlapping bytes.
Buffer Weights::piece(ByteRange range, const Place& place) {
  if (file_) {
    Buffer piece = file_->piece(range);
    expect_memory(place);
    return piece;
  }
  const std::span<const std::byte> bytes = bytes_.subspan(range.first, range.size());
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0) return {owner_, bytes};
  spend_copy(range.size(), place);
  return Buffer::copy_of(bytes);
}

/// Strings are stored as their number, n + 1 ends (the first one 0), and their bytes; numbers are 32-bit little endian.
/// No page of the operation sets specifies this; OpenVINO's src/core/src/runtime/string_aligned_buffer.cpp does
/// ("packed format is the following").
Value Weights::strings(const Dims& dims, std::span<const std::byte> bytes, const Place& place, Findings& findings) {
  const std::uint64_t count = element_count(dims);
  const auto broken = [&](const std::string& found) {
    report_constant(place, findings, found, "the number of strings, their ends in order, their bytes");
    return Value{};
  };
  if (bytes.size() / 4 < 2 || count > bytes.size() / 4 - 2) return broken(fmt::format("{} bytes", bytes.size()));
  if (number_at(bytes, 0) != count) return broken(fmt::format("{} strings", number_at(bytes, 0)));
  spend_copy(bytes.size() + count * sizeof(std::string), place);
  const std::span<const std::byte> letters = bytes.subspan(4 * (count + 2));
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = number_at(bytes, i + 1);
    const std::size_t last = number_at(bytes, i + 2);
    if (first > last || last > letters.size()) return broken(fmt::format("string {} is [{}, {})", i, first, last));
    strings.emplace_back(reinterpret_cast<const char*>(letters.data()) + first, last - first);
  }
  return make_strings(dims, std::move(strings));
}

/// Packed elements are stored lowest bits first, which no page specifies either: "(LSB) 4 bits of an 8-bit vector form
/// 0th element" since OpenVINO 2024.0 (openvino pull request 25827; docs/doubts.md).
/// Rules: openvino/ir/types-are-known, openvino/ir/constant-in-weights.
Value Weights::constant(const pugi::xml_node& data, const Place& place, Findings& findings) {
  const auto type = element_type_of(attribute_of(data, "element_type").value_or(""));
  const auto dims = static_dims(data);
  if (!type || *type == ElementType::undefined || !dims) {
    findings.report("openvino/ir/types-are-known", place,
                    fmt::format("{}, {}", attribute_text(data, "element_type"), attribute_text(data, "shape")),
                    "an element type that the reference has, and a shape of known sizes");
    return {};
  }
  const auto offset = bytes_number(data, "offset");
  const auto size = bytes_number(data, "size");
  if (!offset || !size) {
    report_constant(place, findings,
                    fmt::format("{}, {}", attribute_text(data, "offset"), attribute_text(data, "size")),
                    "offset and size, numbers of bytes");
    return {};
  }
  open(place);
  const std::size_t available = this->size();
  if (*offset > available || *size > available - *offset) {
    report_constant(place, findings, fmt::format("{} bytes at {} of a .bin of {}", *size, *offset, available),
                    "bytes inside the .bin");
    return {};
  }
  try {
    const std::size_t expected = bytes_of(*type, element_count(*dims));
    if (*type == ElementType::string) {
      const Buffer packed = piece({*offset, *offset + *size}, place);
      return strings(*dims, packed.bytes(), place, findings);
    }
    // A constant without elements may have one unused byte. Sentence: operations-constant-size-range.
    const bool fits = *size == expected || (expected == 0 && *size == 1);
    if (fits) return Tensor{*type, *dims, piece({*offset, *offset + expected}, place), {}};
    report_constant(place, findings, fmt::format("{} bytes", *size),
                    fmt::format("the {} bytes of a {}{}", expected, name_of(*type), to_string(static_shape(*dims))));
  } catch (const std::length_error& error) {
    report_constant(place, findings, error.what(), "a shape that fits the bytes");
  }
  return {};
}

}  // namespace ifcert::openvino
