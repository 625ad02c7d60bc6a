// A refusal shows something only beside an accepted twin.
#pragma once

#include <vector>

#include "conformance/trial.hpp"

namespace ifcert::conformance {

/// Settles the refusals that passed, of one adapter's trials, by the twins among them. A refusal stands when the
/// twin was computed (by an adapter that computes nothing: loaded). It is UNSUPPORTED where the twin is, HARNESS or
/// NOT-RUN where the twin is or is missing, and NOT-SHOWN beside a twin that was not computed right: what was refused
/// may be something else than the fault.
void settle_twins(std::vector<Trial>& trials, bool computes);

}  // namespace ifcert::conformance
