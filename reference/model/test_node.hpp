// For tests: a node built by hand.
#pragma once

#include <ifcert/graph.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ifcert {

/// A node of ONNX, of operator set 16.
inline Node operation(std::string op, std::vector<Slot> inputs, std::vector<Slot> outputs, Attributes attributes = {}) {
  Node node;
  node.op = std::move(op);
  node.version = 16;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attributes = std::move(attributes);
  return node;
}

}  // namespace ifcert
