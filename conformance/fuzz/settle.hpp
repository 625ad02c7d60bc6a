// Settles a failure: tries it again alone in a fresh process, and makes it smaller.
#pragma once

#include <functional>

#include "conformance/fuzz/fuzz_case.hpp"
#include "conformance/fuzz/fuzz_example.hpp"
#include "conformance/fuzz/prober.hpp"
#include "generator/shrink.hpp"

namespace ifcert::conformance {

/// The case must have failed before; only its result in a process of its own counts. A model that breaks a rule is not
/// made smaller.
FuzzExample settle(Prober& prober, const FuzzCase& failed, const FuzzFailure& failure,
                   const generator::ShrinkLimits& limits);

/// Makes a model smaller that fails as `example.original.result` records. The model must compute; it is tried in
/// `format`. Fills in the example's members about the smallest model, unless that does not fail in the same way alone
/// in a fresh process.
void make_smaller(Prober& prober, const generator::Generated& generated, Format format,
                  const generator::ShrinkLimits& limits, FuzzExample& example);

}  // namespace ifcert::conformance
