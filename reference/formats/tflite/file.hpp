// The verified bytes of a TensorFlow Lite or Circle file: every offset is inside the file.
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

/// Verifies the bytes, whose address must be a multiple of 16. Throws UnreadableModel where they are not a file of the
/// schema.
File verified(std::shared_ptr<const void> owner, std::span<const std::byte> bytes);

}  // namespace ifcert::tflite
