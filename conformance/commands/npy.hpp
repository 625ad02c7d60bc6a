// NumPy's .npy files, as inputs and outputs of `ifcert run`.
#pragma once

#include <filesystem>
#include <ifcert/values.hpp>

namespace ifcert::conformance {

/// Whether NumPy has the type, so that a .npy file can hold it.
bool npy_holds(ElementType type);

/// Reads a little-endian, C-ordered array of a type that both NumPy and ONNX have. Throws Error naming what the file
/// has instead.
Tensor read_npy(const std::filesystem::path& path);

/// The bytes of a .npy file (format 1.0); the type must be one that npy_holds.
std::string npy_bytes(const Tensor& tensor);

}  // namespace ifcert::conformance
