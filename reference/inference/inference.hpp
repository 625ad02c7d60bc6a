// What can be said of every slot's type before anything runs; on the way, every If is shown to whoever asks.
#pragma once

#include <functional>
#include <ifcert/graph.hpp>
#include <span>
#include <vector>

#include "findings.hpp"
#include "inference/trip_types.hpp"
#include "place.hpp"
#include "type_union.hpp"

namespace ifcert::inference {

/// An If as the rules look at it: its node, the types of what goes in and of what each branch gives.
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

/// Infers the types of the whole model, which must be free of recursion: types[graph][slot]; of a function called
/// several times, the types of its last call; `trips` gets those of bodies for each call. Writes down operands that can
/// never fit their operator and declared types that cannot be. `visit` sees each If once for each way in which it is
/// reached. Throws UnreadableModel where the model asks for more steps than budget_limit.
std::vector<std::vector<Type>> infer(const Model& model, Findings& findings, const VisitIf& visit = {},
                                     TripTypes* trips = nullptr);

}  // namespace ifcert::inference
