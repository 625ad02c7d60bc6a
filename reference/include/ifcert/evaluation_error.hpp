// The exception of evaluation.
#pragma once

#include <ifcert/message.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace ifcert {

/// A model that cannot be evaluated, with the place in the model: something that the reference lacks
/// (`missing_operator` is the operator, or a feature such as "quantized.ADD"), a wrong input, a node whose
/// operands do not fit it.
class EvaluationError : public std::runtime_error {
 public:
  explicit EvaluationError(const std::string& message, std::string missing = {})
      : std::runtime_error(printable(message)), missing_operator(std::move(missing)) {}
  std::string missing_operator;
};

}  // namespace ifcert
