// The plan of a model: how each node is evaluated, found once, when the model is prepared.
#pragma once

#include <cstdint>
#include <ifcert/evaluate.hpp>
#include <ifcert/graph.hpp>
#include <vector>

#include "operators/operator.hpp"

namespace ifcert {

/// How a node is evaluated.
struct NodePlan {
  enum class Kind : std::uint8_t { kernel, custom, delegated, if_, loop, while_, scan, sequence_map, call, folded };
  Kind kind = Kind::kernel;
  const kernels::Operator* op = nullptr;   // if kind is kernel; kept, but not used, if the node is folded
  const CustomOperator* custom = nullptr;  // if kind is custom
  // Slots that can be emptied after this node, which is the last to read them: outputs of earlier nodes that are not
  // outputs of the graph.
  std::vector<Slot> last_read = {};
};

using Plans = std::vector<std::vector<NodePlan>>;  // by graph and node

/// Whether the body's graph is written in this node. Two kinds of body have their graph elsewhere:
/// - a body with a `reference`: the graph is written in the call that passes it, or is a default of the function;
/// - bodies[0] of a call: the graph is that of the function.
bool is_written_in(const Node& node, const Body& body);

/// Plans all nodes of the main graph, of the functions, and of the bodies in them. Graphs that nothing enters have no
/// plans. Throws EvaluationError for a node that the reference cannot evaluate.
/// With a delegate, only for one that has bodies and is neither If, nor a loop, nor a call.
Plans plan_nodes(const Model& model, const CustomOperators& custom, bool has_delegate = false);

}  // namespace ifcert
