// Runs one vector on one adapter, once.
#pragma once

#include "conformance/results/certification.hpp"
#include "conformance/runtimes/session.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// A result, and the details on which retries and the rulings by twins depend.
struct Trial {
  Result result;
  std::string twin{};                          // the vector's twin
  bool loaded = false;                         // the model was accepted
  bool by_refusal = false;                     // it passed because it was refused
  bool may_be_due_to_earlier_vectors = false;  // as in Failure
  std::size_t bytes = 0;                       // of all the answers to this vector
};

/// Starts the session if needed, sends the vector's steps and the unload of the model, and judges the answers. If
/// the process fails after the answer that decided the verdict, or during the unload, this later failure replaces the
/// ruling; a ruling that was itself a failure is kept, and its reason mentions the later one. Throws Error if the
/// adapter cannot be started, but never because of its answers.
Trial try_vector(Session& session, const Vector& vector);

}  // namespace ifcert::conformance
