// IF and WHILE: the subgraphs that their options name become bodies.
#pragma once

#include <ifcert/graph.hpp>

#include "findings.hpp"
#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite {

/// Gives the node of an IF its two bodies, which capture its operands. The subgraphs' inputs must be there.
void read_if(const schema::Operator& from, const Model& model, Node& node, const Place& place, Findings& findings);

/// Gives the node of a WHILE its two bodies.
void read_while(const schema::Operator& from, const Model& model, Node& node, const Place& place, Findings& findings);

}  // namespace ifcert::tflite
