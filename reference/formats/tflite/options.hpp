// Builtin options of operators ↔ attributes. (Those of If and While name subgraphs, which are bodies:
// control_flow.hpp.)
#pragma once

#include <ifcert/graph.hpp>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite {

/// The attributes of an operator of that name; none where its options are those of another operator, or unknown. The
/// options of CAST repeat the types of its tensors, and are not read.
Attributes attributes_of(const schema::Operator& from, schema::BuiltinOperator code);

}  // namespace ifcert::tflite
