// Settles a failure: tries it again alone in a fresh process, and makes it smaller.
#pragma once

#include <functional>

#include "conformance/fuzz/fuzz_case.hpp"
#include "conformance/fuzz/fuzz_example.hpp"
#include "conformance/fuzz/generator/shrink.hpp"
#include "conformance/fuzz/prober.hpp"

namespace ifcert::conformance {

/// The case must have failed before; only its result in a process of its own counts.
FuzzExample settle(Prober& prober, const FuzzCase& failed, const FuzzFailure& failure,
                   const generator::ShrinkLimits& limits);

/// Makes a model smaller that fails as `example.original.result` records. The model must compute; it is tried in
/// `format`, in files that `rewritings` write anew. `delegate`, if there is one, computes what the reference lacks.
/// Fills in the example's members about the smallest model, unless that does not fail in the same way alone in a fresh
/// process.
void make_smaller(Prober& prober, const generator::Generated& generated, Format format,
                  const generator::ShrinkLimits& limits, FuzzExample& example, const Delegate& delegate = {},
                  const RewritingChain& rewritings = {});

/// The same for an illegal model: each candidate breaks exactly the rules that the model breaks.
void make_smaller(Prober& prober, const generator::Generated& generated, const generator::IllegalForm& illegal,
                  Format format, const generator::ShrinkLimits& limits, FuzzExample& example);

/// The vector of a candidate of an illegal model; nullopt unless it breaks exactly the rules of the form.
std::optional<Vector> illegal_vector(const generator::IllegalForm& illegal, const generator::Generated& candidate,
                                     Format format);

}  // namespace ifcert::conformance
