// An If whose types are inferred, as the rules of If see it.
#pragma once

#include <cstddef>
#include <functional>
#include <ifcert/graph.hpp>
#include <ifcert/values.hpp>
#include <vector>

#include "model/place.hpp"

namespace ifcert::inference {

/// An If, for the rules that check it. `cond`, `then_outputs` and `else_outputs` are inferred types.
struct InferredIfSite {
  const Graph& graph;
  const Node& node;
  const Place& place;
  Type cond;
  std::vector<Type> then_outputs, else_outputs;

  /// The type that the file declares for this output of the node; unknown if it declares none.
  Type declared(std::size_t output) const;
};

/// Called each time that an If is inferred, if both of its branches resolve to graphs.
using VisitIf = std::function<void(const InferredIfSite&)>;

}  // namespace ifcert::inference
