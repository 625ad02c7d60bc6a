// Backends of the onnx package's interface (onnx.backend.base.Backend): certified by the name of their module alone.
#pragma once

#include <string>
#include <string_view>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Whether an adapter's name is "onnx-backend:MODULE".
bool is_onnx_backend(std::string_view name);

/// "onnx-backend:MODULE".
std::string onnx_backend_name(std::string_view module);

/// The adapter of a backend: a module, or a class in one, that has a `prepare`, in the Python that PATH names (that of
/// an active virtual environment, for example) or in the current folder. There is nothing to install. Throws Error
/// where that Python has no such backend.
Adapter onnx_backend_adapter(const Project& project, std::string_view name);

}  // namespace ifcert::conformance
