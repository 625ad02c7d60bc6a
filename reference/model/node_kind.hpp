// Which nodes enter bodies: If in every format, the loops of ONNX, While of TensorFlow Lite, calls of functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ifcert/graph.hpp>
#include <string_view>

namespace ifcert {

enum class NodeKind : std::uint8_t { operation, call, if_, loop, scan, sequence_map, while_ };

/// Whether the node is an If. The operator has this name in every format.
inline bool is_if(const Node& node) {
  return !node.call && node.domain.empty() && std::string_view(node.op) == "If";
}

/// OpenVINO's loops are operations here, and their bodies are not read.
inline NodeKind node_kind(const Node& node, Format format) {
  if (node.call) return NodeKind::call;
  if (is_if(node)) return NodeKind::if_;
  if (!node.domain.empty() || format == Format::openvino) return NodeKind::operation;
  const std::string_view op = node.op;  // compares lengths first, unlike a std::string and a literal
  if (format == Format::tflite) return op == "While" ? NodeKind::while_ : NodeKind::operation;
  if (op == "Loop") return NodeKind::loop;
  if (op == "Scan") return NodeKind::scan;
  if (op == "SequenceMap") return NodeKind::sequence_map;
  return NodeKind::operation;
}

/// Whether it is one of ONNX's loops, which enter their only body once per trip.
inline bool is_loop(NodeKind kind) {
  return kind == NodeKind::loop || kind == NodeKind::scan || kind == NodeKind::sequence_map;
}

inline bool has_loops(const Model& model) {
  const auto loops = [&](const Node& node) { return is_loop(node_kind(node, model.format)); };
  return std::ranges::any_of(model.graphs, [&](const Graph& graph) { return std::ranges::any_of(graph.nodes, loops); });
}

}  // namespace ifcert
