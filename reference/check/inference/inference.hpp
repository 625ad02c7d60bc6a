// Type inference: finds the types of all slots, as far as they are known before a run, and passes each If to a visitor.
#pragma once

#include <ifcert/graph.hpp>

#include "check/inference/inferred.hpp"
#include "check/inference/inferred_if_site.hpp"
#include "model/findings.hpp"

namespace ifcert::inference {

/// Infers the types of the whole model, which must be free of recursion. Reports operands and shapes that can never fit
/// their operator, and declared types that contradict the inferred ones.
///
/// Each function is inferred once on its own, since a model may have functions that nothing calls, and again for every
/// call that is reached. `types[graph]` is from the last time that this graph was inferred. `trip_types` has the output
/// types of the bodies of loops, for the main graph and for every call that it leads to. `visit` is called each time
/// that an If is inferred, if its branches resolve to graphs.
///
/// Throws UnreadableModel for a model that needs more steps than budget_limit, or whose types are nested too deeply or
/// grow too large.
Inferred infer(const Model& model, Findings& findings, const VisitIf& visit = {});

}  // namespace ifcert::inference
