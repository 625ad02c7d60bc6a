// A VALUE of the protocol as ONNX's own messages.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ifcert::conformance {

/// A TensorProto, SequenceProto or OptionalProto of that name: how the onnx package keeps the data of its tests. The
/// VALUE is well-formed and says of what type it is.
std::string onnx_bytes(const std::string& name, const nlohmann::json& value);

}  // namespace ifcert::conformance
