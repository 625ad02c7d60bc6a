#include "conformance/certify/rewriting_check.hpp"

#include <fmt/format.h>

#include <utility>

namespace ifcert::conformance {

OriginalModel::OriginalModel(const Vector& vector) {
  try {
    const Program program(legal_model(vector));
    runs_ = runs_of(vector.summary.steps, program);
  } catch (const EvaluationError& error) {
    throw NoSibling(error.what());
  }
}

std::string OriginalModel::objection(const ModelFiles& rewritten) {
  try {
    Reading reading = read_model(folder_.put(rewritten));
    if (const std::vector<Diagnostic> broken = errors_in(check(reading)); !broken.empty())
      return fmt::format("it breaks {}: {}", broken.front().rule, to_string(broken.front()));
    return computes_the_same(Program(std::move(reading.model)), runs_) ? "" : "it computes something else";
  } catch (const UnreadableModel& error) {
    return fmt::format("it cannot be read: {}", error.what());
  } catch (const EvaluationError& error) {
    return fmt::format("it cannot be run: {}", error.what());
  }
}

}  // namespace ifcert::conformance
