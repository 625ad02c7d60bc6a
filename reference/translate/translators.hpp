// The directions; translate() holds what they make against the rules, and goes from IR to TensorFlow Lite and back
// through ONNX.
#pragma once

#include <ifcert/graph.hpp>

#include "translate/site.hpp"

namespace ifcert::translation {

/// What is known of the values of a graph that is translated, by their old slots.
using Scope = std::vector<Site::Known>;

Model onnx_to_openvino(const Model& from);
Model openvino_to_onnx(const Model& from);
Model onnx_to_tflite(const Model& from);
Model tflite_to_onnx(const Model& from);

/// Throws Inexpressible.
[[noreturn]] void refuse(const Place& place, const std::string& reason);

/// The operands of a node.
std::vector<Site::Known> operands_of(const Node& node, const Scope& scope);

}  // namespace ifcert::translation
