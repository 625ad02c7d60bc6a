#include "formats/tflite/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "limits/budget.hpp"

namespace ifcert::tflite {
namespace {

/// FlatBuffers' offsets have 32 bits and are signed in places; only data of buffers may follow after 2 GiB.
constexpr std::size_t longest_flatbuffer = 0x7ffffffe;

[[noreturn]] void refuse_file(std::string_view rule, const std::string& found, const std::string& expected) {
  throw UnreadableModel({std::string(rule), "model", found, expected});
}

/// "file_identifier": the four bytes after the offset of the root table
/// Rules: tflite/file/identifier, tflite/file/well-formed.
Identifier identifier_of(std::span<const std::byte> bytes) {
  constexpr std::size_t start = 4;
  constexpr std::size_t length = 4;
  if (bytes.size() < start + length)
    refuse_file("tflite/file/well-formed", fmt::format("{} bytes", bytes.size()), "a FlatBuffers file");
  const std::string_view identifier(reinterpret_cast<const char*>(bytes.data()) + start, length);
  if (identifier == "TFL3") return Identifier::tflite;
  if (identifier == "CIR0") return Identifier::circle;
  std::string shown;
  for (const char letter : identifier) shown += fmt::format("{:02x} ", static_cast<unsigned char>(letter));
  shown.pop_back();
  refuse_file("tflite/file/identifier", fmt::format("file_identifier is {}", shown),
              "TFL3 or CIR0 after the first 4 bytes");
}

}  // namespace

// Rule: tflite/file/well-formed.
File verified(std::shared_ptr<const void> owner, std::span<const std::byte> bytes) {
  const Identifier identifier = identifier_of(bytes);
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  flatbuffers::Verifier::Options limits;
  limits.max_tables = budget_limit;
  flatbuffers::Verifier verifier(data, std::min(bytes.size(), longest_flatbuffer), limits);
  if (!verifier.VerifyBuffer<schema::Model>(nullptr)) {
    refuse_file("tflite/file/well-formed", "an offset is outside the file, or does not fit its table",
                "a file that FlatBuffers' verifier accepts");
  }
  return {std::move(owner), bytes, flatbuffers::GetRoot<schema::Model>(data), identifier};
}

}  // namespace ifcert::tflite
