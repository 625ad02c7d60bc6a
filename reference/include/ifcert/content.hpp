// Models whose format no name says: bytes from a pipe, from an archive, from a network.
#pragma once

#include <filesystem>
#include <ifcert/reading.hpp>
#include <memory>
#include <optional>
#include <span>

namespace ifcert {

/// The format that the bytes show: OpenVINO IR begins as XML does, TensorFlow Lite and Circle have an identifier, and
/// everything else is ONNX, or not a model.
Format format_of(std::span<const std::byte> bytes);

/// Where what a model's bytes refer to lies.
struct Beside {
  std::filesystem::path folder = {};  // of ONNX's external data; an empty one refuses external data
  std::optional<std::span<const std::byte>> weights = {};  // of IR: the bytes of its .bin, if it is there
  std::shared_ptr<const void> owner = {};                  // keeps the weights alive
};

/// Reads bytes, which `owner` keeps alive, in the format that they show. Throws UnreadableModel; so it does where
/// constants lie in a file of which neither the folder nor the bytes are given.
Reading read_content(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, const Beside& beside = {});

}  // namespace ifcert
