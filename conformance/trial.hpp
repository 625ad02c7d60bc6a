// One vector on one adapter.
#pragma once

#include "conformance/certification.hpp"
#include "conformance/session.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// A result, and the details that settling twins and retrying depend on.
struct Trial {
  Result result;
  std::string twin{};                // the vector's twin
  bool loaded = false;               // the model was accepted
  bool by_refusal = false;           // a pass that consists of a refusal
  bool ended = false;                // the process ended during the vector
  bool over_lifetime_limit = false;  // as in Failure
};

/// Starts the session if needed, sends the vector's steps until an answer ends the vector, and unloads the model. A
/// failure while the model is unloaded counts. Never throws for an adapter's behaviour; throws Error if the adapter
/// cannot be started.
Trial try_vector(Session& session, const Vector& vector);

}  // namespace ifcert::conformance
