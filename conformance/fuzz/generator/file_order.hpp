// What a file lists in some order that means nothing.
#pragma once

#include <ifcert/graph.hpp>

#include "conformance/fuzz/generator/random.hpp"

namespace ifcert::generator {

/// Nodes in another order in which they can be evaluated.
void permute_nodes(Graph& graph, Random& random);

/// Functions, initializers, values, captures and nodes in any order. In the other formats that is the order of tensors,
/// subgraphs, operands, layers and ports.
void shuffle_order(Model& model, Random& random);

}  // namespace ifcert::generator
