// Attributes → builtin options of operators.
#pragma once

#include <ifcert/graph.hpp>
#include <span>

#include "formats/tflite/schema_generated.h"
#include "model/place.hpp"

namespace ifcert::tflite {

/// The options table of an operator; NONE where it has no options.
struct WrittenOptions {
  schema::BuiltinOptions type = schema::BuiltinOptions_NONE;
  flatbuffers::Offset<void> table;
};

/// The options that read as the node's attributes; `slots` are the values of its graph. Throws Inexpressible where the
/// operator has no such attributes, or the graph form does not hold all of its options.
WrittenOptions write_options(flatbuffers::FlatBufferBuilder& builder, const Node& node, std::span<const SlotInfo> slots,
                             schema::BuiltinOperator code, const Place& place);

}  // namespace ifcert::tflite
