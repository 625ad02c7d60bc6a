// ONNX's own operator set: which operators there are, and since when.
#pragma once

#include <cstdint>
#include <string_view>

namespace ifcert::onnx {

/// The newest version of the operator set that this reader knows (onnx 1.23).
inline constexpr std::int64_t newest_opset = 28;

/// The first version of ONNX's own operator set that has the operator; 0 where none does.
int operator_since(std::string_view name);

}  // namespace ifcert::onnx
