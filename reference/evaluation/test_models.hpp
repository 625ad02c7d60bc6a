// Small values, nodes and runs for the tests of evaluation.
#pragma once

#include <ifcert/reference.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/test_parts.hpp"

namespace ifcert {

inline Value booleans(std::vector<std::uint8_t> flags, Dims dims = {}) {
  return make_tensor<std::uint8_t>(ElementType::boolean, std::move(dims), flags);
}

inline Value floats(std::vector<float> numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  return make_tensor<float>(ElementType::float32, {count}, numbers);
}

/// The first output as text.
inline std::string run(const Program& program, const std::vector<Value>& inputs) {
  return to_string(program.run(inputs).at(0));
}

/// The message of the error that ends the run; empty if none does.
inline std::string failure_of(const Program& program, const std::vector<Value>& inputs) {
  try {
    program.run(inputs);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return "";
}

/// The limit that ends the run; nullopt if none does.
inline std::optional<Limit> exceeded_limit(const Program& program, const std::vector<Value>& inputs,
                                           const RunLimits& limits) {
  try {
    program.run(inputs, {}, limits);
  } catch (const LimitExceeded& error) {
    return error.limit;
  }
  return std::nullopt;
}

}  // namespace ifcert
