// Type inference: finds the types of all slots, as far as they are known before a run, and passes each If to a visitor.
#pragma once

#include <functional>
#include <ifcert/graph.hpp>
#include <ifcert/trip_types.hpp>
#include <span>
#include <vector>

#include "findings.hpp"
#include "place.hpp"
#include "type_union.hpp"

namespace ifcert::inference {

/// An If, for the rules that check it. `cond`, `then_outputs` and `else_outputs` are inferred types.
struct IfSite {
  const Graph& graph;
  const Node& node;
  const Place& place;
  Type cond;
  std::vector<Type> then_outputs, else_outputs;

  /// The type that the file declares for this output of the node; unknown if it declares none.
  Type declared(std::size_t output) const;
};

using VisitIf = std::function<void(const IfSite&)>;

struct Inferred {
  std::vector<std::vector<Type>> types;  // types[graph][slot]
  TripTypes trip_types;
};

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
