// Type inference: the types of all slots, as far as they are known before a run. Each If is passed to a visitor.
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

/// An If as the rules see it: its node, the type of cond, and the types of the outputs of each branch.
struct IfSite {
  const Graph& graph;
  const Node& node;
  const Place& place;
  Type cond;
  std::vector<Type> then_outputs, else_outputs;

  /// The type the file declares for the node's i-th output; unknown where it declares none.
  Type declared(std::size_t output) const;
};

using VisitIf = std::function<void(const IfSite&)>;

struct Inferred {
  std::vector<std::vector<Type>> types;  // types[graph][slot]
  TripTypes trips;
};

/// Infers the types of the whole model, which must be free of recursion. `types` holds only the last call of each
/// function; `trips` keeps the loop bodies' types of every call. Reports operands and shapes that can never fit their
/// operator, and declared types that contradict the inferred ones. `visit` is called for each If whose branches are
/// known, once for each way in which it is reached. Throws UnreadableModel for a model that needs more steps than
/// budget_limit, or whose types are nested too deeply or grow too large.
Inferred infer(const Model& model, Findings& findings, const VisitIf& visit = {});

}  // namespace ifcert::inference
