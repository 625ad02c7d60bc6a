// The model's table of buffers, and the constants that tensors make of them.
#pragma once

#include <cstddef>
#include <ifcert/values.hpp>
#include <optional>
#include <span>

#include "findings.hpp"
#include "formats/tflite/file.hpp"

namespace ifcert::tflite {

/// Bytes that stand at an address that 16 divides stay in the file; others are copied, up to a limit.
class Buffers {
 public:
  explicit Buffers(const File& file) : file_(file) {}

  /// The bytes of that buffer, in the table or behind it; nullopt where that was reported.
  std::optional<std::span<const std::byte>> bytes(std::uint32_t index, const Place& place, Findings& findings) const;

  /// The tensor of that type and shape that the bytes are; empty where that was reported. Throws UnreadableModel where
  /// a file asks for too many copies.
  Value constant(ElementType type, const Dims& dims, std::span<const std::byte> bytes, const Place& place,
                 Findings& findings);

 private:
  Value strings(const Dims& dims, std::span<const std::byte> bytes, const Place& place, Findings& findings);
  void spend_copy(std::size_t bytes, const Place& place);

  const File& file_;
  std::size_t copied_ = 0;
};

}  // namespace ifcert::tflite
