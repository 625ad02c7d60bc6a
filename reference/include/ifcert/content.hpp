// Models without a file name that tells their format: bytes from a pipe, an archive or a network.
#pragma once

#include <filesystem>
#include <ifcert/reading.hpp>
#include <memory>
#include <optional>
#include <span>

namespace ifcert {

/// The format of the bytes: OpenVINO IR begins like XML, TensorFlow Lite and Circle have an identifier, and everything
/// else is ONNX, or not a model.
Format format_of(std::span<const std::byte> bytes);

/// Where to find the data that a model's bytes refer to.
struct ExternalData {
  std::filesystem::path folder = {};  // with ONNX's external data; where empty, external data is refused
  std::optional<std::span<const std::byte>> weights = {};  // for IR: the bytes of its .bin, if there is one
  std::shared_ptr<const void> owner = {};                  // keeps the weights alive
};

/// Reads bytes, which `owner` keeps alive, in the format that they have. Throws UnreadableModel, also where constants
/// are stored in another file and `external` does not say where.
Reading read_content(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                     const ExternalData& external = {}, const AllowedRules& allowed = {});

}  // namespace ifcert
