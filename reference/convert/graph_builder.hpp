// For tests: parts of models built by hand.
#pragma once

#include <cstdint>
#include <ifcert/reference.hpp>
#include <span>
#include <utility>
#include <vector>

#include "model/test_node.hpp"

namespace ifcert {

inline Value integers(const std::vector<std::int64_t>& numbers) {
  return make_tensor<std::int64_t>(ElementType::int64, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

inline Value boolean(bool value, Dims dims = {}) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, std::move(dims), std::span(&byte, 1));
}

}  // namespace ifcert
