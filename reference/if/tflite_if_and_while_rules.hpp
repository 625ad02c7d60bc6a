// The rules of TensorFlow Lite's If and While that can be checked on the graph form.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <ifcert/types.hpp>
#include <span>
#include <vector>

#include "model/findings.hpp"
#include "model/place.hpp"

namespace ifcert::rules {

/// An If or a While with its two subgraphs: then and else, or cond and body.
struct IfOrWhileSite {
  const Model& model;
  GraphIndex graph;  // the one that contains the node
  const Node& node;
  const Place& place;
  // types[graph][slot], as declared; shapes only of main inputs and constants
  std::span<const std::vector<Type>> types;

  /// The subgraph that is the body of that number.
  const Graph& body(std::size_t i) const;
};

/// Reports every rule that an If breaks.
void check_tflite_if(const IfOrWhileSite& site, Findings& findings);

/// Reports every rule that a While breaks.
void check_tflite_while(const IfOrWhileSite& site, Findings& findings);

}  // namespace ifcert::rules
