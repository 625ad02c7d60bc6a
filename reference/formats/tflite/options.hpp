// What operators say beside their operands: builtin options ↔ attributes. (Those of If and While name subgraphs, which
// are bodies: control_flow.hpp.)
#pragma once

#include <ifcert/graph.hpp>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite {

/// The attributes of an operator of that name; none where it has other options than its own, or we know none. Those of
/// CAST repeat the types of its tensors, and are not looked at.
Attributes attributes_of(const schema::Operator& from, schema::BuiltinOperator code);

}  // namespace ifcert::tflite
