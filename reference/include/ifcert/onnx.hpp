// ONNX files → graph form, and back.
#pragma once

#include <filesystem>
#include <ifcert/inexpressible.hpp>
#include <ifcert/reading.hpp>
#include <memory>
#include <span>
#include <string>

namespace ifcert::onnx {

/// Reads a file; the bytes of large external tensors are read when they are first used. External data must be in the
/// file's folder or below it. Throws UnreadableModel.
Reading read_file(const std::filesystem::path& path, const AllowedRules& allowed = {});

/// Reads bytes, which `owner` keeps alive; tensors may refer to them. External data is looked up in `folder`; an empty
/// folder refuses external data. Throws UnreadableModel.
Reading read_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                   const std::filesystem::path& folder = {}, const AllowedRules& allowed = {});

/// The bytes of a file that reads as this model, which must be legal and in ONNX's graph form; tensors are stored in
/// the file. Values keep their names where ONNX allows it; a value without a name, or whose name is visible already,
/// gets another. Throws Inexpressible.
std::string write(const Model& model);

}  // namespace ifcert::onnx
