// For tests: Ifs in Ifs that hand values on to the innermost, built by hand in any format.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <ifcert/graph.hpp>
#include <numeric>
#include <vector>

namespace ifcert {

/// A body with the cond and so many values, which returns the first of them unless an If follows.
inline Graph body_with(std::size_t values) {
  Graph graph;
  graph.add_slot("c", Type::tensor(ElementType::boolean, Shape{}));
  for (std::size_t i = 0; i < values; ++i)
    graph.add_slot(fmt::format("x{}", i), Type::tensor(ElementType::float32, Shape{}));
  graph.outputs = {1};
  return graph;
}

/// Adds an If whose branches are the graphs of these indices, and capture everything.
inline void add_choice(Graph& graph, Format format, GraphIndex then_graph, GraphIndex else_graph) {
  const bool is_tflite = format == Format::tflite;
  Node choice;
  choice.op = "If";
  choice.version = format == Format::openvino ? 8 : is_tflite ? 1 : 16;
  choice.inputs = {0};
  std::vector<Capture> captures;
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    captures.push_back({slot, slot});
    if (format != Format::onnx && (slot > 0 || is_tflite)) choice.inputs.push_back(slot);
  }
  const bool is_onnx = format == Format::onnx;
  choice.bodies = {
      {is_onnx     ? "then_branch"
       : is_tflite ? "then_subgraph"
                   : "then_body",
       then_graph,
       captures,
       {}},
      {is_onnx     ? "else_branch"
       : is_tflite ? "else_subgraph"
                   : "else_body",
       else_graph,
       captures,
       {}},
  };
  choice.outputs = {graph.add_slot("y", Type::tensor(ElementType::float32, Shape{}))};
  graph.outputs = choice.outputs;
  graph.nodes = {std::move(choice)};
}

/// So many levels of Ifs, each of whose branches captures the cond and so many values.
inline Model nested_captures(Format format, std::size_t values, std::size_t levels) {
  Model made;
  made.format = format;
  made.ir_version = format == Format::onnx ? 8 : 0;
  if (format == Format::onnx) made.opsets = {{"", 16}};
  for (std::size_t i = 0; i <= 2 * levels; ++i) made.graphs.push_back(body_with(values));
  std::vector<Slot> all(values + 1);
  std::iota(all.begin(), all.end(), Slot{0});
  for (std::size_t i = 0; i < made.graphs.size(); ++i) {
    if (format == Format::tflite) made.graphs[i].subgraph = static_cast<std::uint32_t>(i);
    if (format == Format::tflite || i == 0) made.graphs[i].inputs = all;
  }
  for (GraphIndex level = 0; level < levels; ++level) {
    const GraphIndex outer = level == 0 ? 0 : 2 * level - 1;
    add_choice(made.graphs[outer], format, 2 * level + 1, 2 * level + 2);
  }
  return made;
}

}  // namespace ifcert
