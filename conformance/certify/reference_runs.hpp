// The runs of a vector, made by the reference: which branches they take, and what they return.
#pragma once

#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

#include "conformance/certify/siblings.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// Why a sibling cannot be made.
class NoSibling : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the vector's model. Throws NoSibling where it breaks a rule or cannot be read.
Model legal_model(const Vector& vector);

/// One run of the model by the reference.
struct ModelRun {
  std::vector<Value> inputs, outputs;
  ObservedBranches taken;
};

/// Nothing where the reference refuses the run.
std::optional<ModelRun> run_of(const nlohmann::json& run, const Program& program);

/// The runs of a step whose outputs are expected, or allowed.
std::vector<const nlohmann::json*> runs_in(const nlohmann::json& step);

/// All of them, of all steps, that the reference does not refuse.
std::vector<ModelRun> runs_of(const nlohmann::json& steps, const Program& program);

/// Whether the program returns in each of these runs what the model returned.
bool computes_the_same(const Program& program, const std::vector<ModelRun>& runs);

/// What `make` returns, or why it throws one of these.
template <class Make>
Siblings siblings_or_reason(const Make& make) {
  try {
    return {.all = make()};
  } catch (const NoSibling& none) {
    return {.why_not = none.what()};
  } catch (const Inexpressible& none) {
    return {.why_not = none.what()};
  } catch (const EvaluationError& error) {
    return {.why_not = error.what()};
  }
}

}  // namespace ifcert::conformance
