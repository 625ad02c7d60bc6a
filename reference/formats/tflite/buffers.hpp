// The model's table of buffers, and the constants in them.
#pragma once

#include <cstddef>
#include <ifcert/values.hpp>
#include <optional>
#include <span>

#include "formats/tflite/file.hpp"
#include "model/findings.hpp"

namespace ifcert::tflite {

/// Bytes at an address that is a multiple of 16 are used in place; others are copied, up to a limit.
class Buffers {
 public:
  explicit Buffers(const File& file) : file_(file) {}

  /// The bytes of that buffer, in the table or after it; nullopt where a fault was reported.
  std::optional<std::span<const std::byte>> bytes(std::uint32_t index, const Place& place, Findings& findings) const;

  /// The bytes as a tensor of that type and shape; empty where a fault was reported. Throws UnreadableModel where too
  /// many bytes would be copied.
  Value constant(ElementType type, const Dims& dims, std::span<const std::byte> bytes, const Place& place,
                 Findings& findings);

 private:
  Value strings(const Dims& dims, std::span<const std::byte> bytes, const Place& place, Findings& findings);
  void spend_copy(std::size_t bytes, const Place& place);

  const File& file_;
  std::size_t copied_ = 0;
};

}  // namespace ifcert::tflite
