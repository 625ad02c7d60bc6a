// A refusal passes only if the runtime accepted the vector's twin: the legal vector that differs from the illegal one
// only in what makes it illegal.
#pragma once

#include <vector>

#include "conformance/certify/trial.hpp"

namespace ifcert::conformance {

/// Among one adapter's trials, changes the verdicts of the refusals that passed but whose twin was not computed right
/// (for an adapter that runs no models: was not loaded). If the twin is UNSUPPORTED, HARNESS or NOT-RUN, so is the
/// refusal; if the twin is missing, the refusal is NOT-RUN. Otherwise the refusal is NOT-SHOWN: the runtime may have
/// refused something other than the fault.
void judge_by_twins(std::vector<Trial>& trials, bool runs_models);

}  // namespace ifcert::conformance
