// The names of the formats in the adapter protocol and in files of results.
#pragma once

#include <ifcert/graph.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// "onnx", "openvino", "tflite".
std::string name_of(Format format);

/// The reverse; nullopt for an unknown name.
std::optional<Format> format_named(std::string_view name);

}  // namespace ifcert::conformance
