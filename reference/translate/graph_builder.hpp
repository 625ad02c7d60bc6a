// For tests: parts of models built by hand.
#pragma once

#include <ifcert/reference.hpp>

namespace ifcert {

inline Node operation(const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs,
                      Attributes attributes = {}) {
  Node node;
  node.op = op;
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
