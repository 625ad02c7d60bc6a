// The bytes of a TensorFlow Lite or Circle file, verified: from here on every offset leads into them.
#pragma once

#include <cstddef>
#include <ifcert/tflite.hpp>
#include <memory>
#include <span>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite {

struct File {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
  const schema::Model* model;
  Identifier identifier;
};

/// Verifies the bytes, which stand at an address that 16 divides. Throws UnreadableModel where they are no file of the
/// schema.
File verified(std::shared_ptr<const void> owner, std::span<const std::byte> bytes);

}  // namespace ifcert::tflite
