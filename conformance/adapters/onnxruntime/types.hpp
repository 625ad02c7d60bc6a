// The types of ONNX Runtime in the protocol's words.
#pragma once

#include <ifcert_adapter.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api.hpp"

namespace ifcert::onnxruntime {

/// "float32"; empty for what the protocol has no name for.
std::string_view name_of(ONNXTensorElementDataType type);

/// The inverse; UNDEFINED for what the API has no number for (float8e8m0).
ONNXTensorElementDataType type_named(std::string_view name);

/// "seq(tensor(float32))"; nothing for what the protocol has no words for.
std::optional<std::string> name_of(const OrtTypeInfo* type);

/// The declared shape of a tensor; nothing where none is declared, and for what is no tensor.
std::optional<std::vector<adapter::Dim>> shape_of(const OrtTypeInfo* type);

}  // namespace ifcert::onnxruntime
