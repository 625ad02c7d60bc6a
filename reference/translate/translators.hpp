// The directions of translation. translate() checks their results against the rules, and translates between IR and
// TensorFlow Lite through ONNX.
#pragma once

#include <ifcert/graph.hpp>

#include "translate/site.hpp"

namespace ifcert::translation {

/// The values of a graph that is translated, by their old slots.
using Scope = std::vector<Site::Known>;

/// A graph while it is translated: its index in the old model, the new graph, and the values so far.
struct Translated {
  GraphIndex index;
  Graph& to;
  Scope& scope;
};

Model onnx_to_openvino(const Model& from);
Model openvino_to_onnx(const Model& from);
Model onnx_to_tflite(const Model& from);
Model tflite_to_onnx(const Model& from);

/// Throws Inexpressible.
[[noreturn]] void refuse(const Place& place, const std::string& reason);

/// The operands of a node.
std::vector<Site::Known> operands_of(const Node& node, const Scope& scope);

}  // namespace ifcert::translation
