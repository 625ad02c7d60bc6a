// A refusal shows something only beside an accepted twin.
#pragma once

#include <vector>

#include "conformance/trial.hpp"

namespace ifcert::conformance {

/// Settles the refusals that passed, among one adapter's trials, by their twins. A refusal passes when the twin was
/// computed (for an adapter that computes nothing: loaded). It is UNSUPPORTED where the twin is; HARNESS or NOT-RUN
/// where the twin is, or is missing; and NOT-SHOWN where the twin was not computed right: the runtime may have refused
/// something other than the fault.
void settle_twins(std::vector<Trial>& trials, bool computes);

}  // namespace ifcert::conformance
