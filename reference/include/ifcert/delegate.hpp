// Nodes that the reference cannot compute, handed to something that can.
#pragma once

#include <cstdint>
#include <functional>
#include <ifcert/graph.hpp>
#include <span>
#include <vector>

namespace ifcert {

/// One evaluation of a node whose operator the reference lacks.
struct DelegatedNode {
  const Model& model;
  GraphIndex graph;
  std::size_t node;               // its number in the graph
  const Attributes& attributes;   // without references: each has the value that the function call passes
  std::span<const Value> inputs;  // tensors, sequences and optionals; an operand that is left out is empty
  std::vector<bool> is_constant;  // is_constant[i]: inputs[i] is a constant of the model, a value that the model holds
  double seconds;                 // the time that the run has left
  std::uint64_t memory;           // the limit of the run, in bytes
  const std::function<void()>& interrupt;  // to be called about twenty times a second; may throw, may be empty

  const Node& described() const { return model.graphs[graph].nodes[node]; }
};

/// Returns the outputs of the node, an empty value for one that is not wanted. May be called from several threads. The
/// node's place is added to the message of an EvaluationError or a LimitExceeded; other exceptions pass through.
using Delegate = std::function<std::vector<Value>(const DelegatedNode& node)>;

}  // namespace ifcert
