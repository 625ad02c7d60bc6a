// One vector on one adapter.
#pragma once

#include "conformance/certification.hpp"
#include "conformance/session.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// A result, and the details of it that the twins' verdicts depend on.
struct Trial {
  Result result;
  std::string twin{};       // the vector's twin
  bool loaded = false;      // the model was accepted
  bool by_refusal = false;  // a pass that consists of a refusal
  bool ended = false;       // the process ended during the vector
  bool added_up = false;    // the process was ended for what it used in its whole life
};

/// Starts the session where needed, sends the vector's steps until one ends it, and unloads the model. A process that
/// dies while it unloads has crashed. Never throws for an adapter's behaviour; throws Error when it cannot be started.
Trial try_vector(Session& session, const Vector& vector);

}  // namespace ifcert::conformance
