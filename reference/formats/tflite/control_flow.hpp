// IF and WHILE: the subgraphs that their options name become bodies.
#pragma once

#include <ifcert/graph.hpp>

#include "formats/tflite/schema_generated.h"
#include "model/findings.hpp"

namespace ifcert::tflite {

/// Adds the two bodies of an IF, which capture its operands. The inputs of all subgraphs must have been read.
void read_if(const schema::Operator& from, const Model& model, Node& node, const Place& place, Findings& findings);

/// Adds the two bodies of a WHILE.
void read_while(const schema::Operator& from, const Model& model, Node& node, const Place& place, Findings& findings);

}  // namespace ifcert::tflite
