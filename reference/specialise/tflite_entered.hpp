// Which subgraphs operators enter, and which stay in any case.
#pragma once

#include <ifcert/graph.hpp>
#include <vector>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite::specialisation {

/// The subgraphs that an operator enters, in the order in which its options name them. Throws Inexpressible for a
/// CALL_ONCE without one.
std::vector<GraphIndex> subgraphs_entered_by(const Model& model, const schema::Model& read, NodeIndex node);

/// The primary subgraph, those that no operator enters, and those with signatures; all, if the file has an operator
/// whose options may name subgraphs and are not read.
std::vector<GraphIndex> subgraphs_that_stay(const Model& model, const schema::Model& read);

}  // namespace ifcert::tflite::specialisation
