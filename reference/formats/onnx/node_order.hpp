// The topological order of each list of nodes, by the names that the nodes and the graphs in them read.
#pragma once

#include <unordered_map>

#include "formats/onnx/proto.hpp"
#include "model/topological_order.hpp"

namespace ifcert::onnx {

/// What is not sorted in one list of nodes.
struct NodeOrder {
  TopologicalOrder sorted;
  bool reads_later = false;     // a node reads what a later one, or itself, makes
  bool captures_later = false;  // a graph in a node does
};

/// By list: those that are not sorted; every other list is.
using NodeOrders = std::unordered_map<const proto::List<proto::Node>*, NodeOrder>;

/// A name that several graphs around its use make later is ordered behind the two innermost of them: then the inner one
/// shadows the outer one, as the rules say.
NodeOrders node_orders(const proto::Model& model);

}  // namespace ifcert::onnx
