// ONNX files → graph form.
#pragma once

#include <filesystem>
#include <ifcert/reading.hpp>
#include <memory>
#include <span>

namespace ifcert::onnx {

/// Reads a file; its large tensors stay mapped. External data must lie in the file's folder or below it.
/// Throws UnreadableModel.
Reading read_file(const std::filesystem::path& path);

/// Reads bytes, which `owner` keeps alive; tensors may refer to them. External data is looked up in `folder`; an empty
/// folder refuses external data. Throws UnreadableModel.
Reading read_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                   const std::filesystem::path& folder = {});

}  // namespace ifcert::onnx
