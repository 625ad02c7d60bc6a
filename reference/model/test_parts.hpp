// For tests: parts of models built by hand.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <ifcert/values.hpp>
#include <span>
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

inline Value integers(const std::vector<std::int64_t>& numbers) {
  return make_tensor<std::int64_t>(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

inline Value boolean(bool value, Dims dims = {}) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, std::move(dims), std::span(&byte, 1));
}

}  // namespace ifcert
