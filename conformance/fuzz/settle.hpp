// A failure, tried again alone in a fresh process, and made smaller.
#pragma once

#include <functional>

#include "conformance/fuzz/fuzz_case.hpp"
#include "conformance/fuzz/fuzz_example.hpp"
#include "conformance/fuzz/prober.hpp"
#include "generator/shrink.hpp"

namespace ifcert::conformance {

/// The case must have failed before; what it does alone is what counts. A model that breaks a rule stays as it is.
FuzzExample settle(Prober& prober, const FuzzCase& failed, const FuzzFailure& failure,
                   const generator::ShrinkLimits& limits);

/// Makes a model smaller that fails as `result` says. The model is one that computes; it is written in `format`.
/// Fills in what is known of the smallest model, unless that fails otherwise alone in a fresh process.
void make_smaller(Prober& prober, const generator::Generated& generated, Format format,
                  const generator::ShrinkLimits& limits, FuzzExample& example);

}  // namespace ifcert::conformance
