// The exception of evaluation.
#pragma once

#include <ifcert/message.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace ifcert {

/// What cannot be evaluated, with its place in the model: an operator the reference does not have (`missing_operator`
/// says which), a wrong input, a node whose operands do not fit it.
class EvaluationError : public std::runtime_error {
 public:
  explicit EvaluationError(const std::string& message, std::string missing = {})
      : std::runtime_error(printable(message)), missing_operator(std::move(missing)) {}
  std::string missing_operator;
};

}  // namespace ifcert
