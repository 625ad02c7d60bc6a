// One vector on one adapter.
#pragma once

#include "conformance/certification.hpp"
#include "conformance/session.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// A result, and what of it only the vectors beside it can settle.
struct Trial {
  Result result;
  std::string twin{};       // of the vector
  bool loaded = false;      // the model was accepted
  bool by_refusal = false;  // a pass that consists of a refusal
  bool ended = false;       // the process did not outlive the vector
  bool added_up = false;    // it was ended for what it took in its whole life
};

/// Starts the session where needed, sends the vector's steps until one ends it, and unloads the model. A process that
/// dies while it unloads has crashed. Never throws for what an adapter does; throws Error when it cannot be started.
Trial try_vector(Session& session, const Vector& vector);

}  // namespace ifcert::conformance
