// A VALUE of the protocol as ONNX's own messages.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ifcert::conformance {

/// A TensorProto, SequenceProto or OptionalProto with that name: the onnx package's form of test data. The VALUE is
/// well-formed and declares its type.
std::string onnx_bytes(const std::string& name, const nlohmann::json& value);

}  // namespace ifcert::conformance
