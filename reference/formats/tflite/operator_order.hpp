// The order of the operators of a subgraph. Sentence: schema-execution-order.
#pragma once

#include <ifcert/graph.hpp>

#include "formats/tflite/file.hpp"
#include "model/topological_order.hpp"

namespace ifcert::tflite {

/// By the tensors that the operators read. `graph` is the subgraph as it was read.
TopologicalOrder operator_order(const Graph& graph);

/// Whether the order may say more than the tensors do: the model has variables, resources, subgraphs that are called
/// for their effects, or custom operators.
bool order_has_effects(const schema::Model& model);

}  // namespace ifcert::tflite
