// What operators say beside their operands: attributes → builtin options.
#pragma once

#include <ifcert/graph.hpp>
#include <span>

#include "formats/tflite/schema_generated.h"
#include "place.hpp"

namespace ifcert::tflite {

/// The options of an operator as its table has them; nothing where it has none.
struct WrittenOptions {
  schema::BuiltinOptions type = schema::BuiltinOptions_NONE;
  flatbuffers::Offset<void> table;
};

/// The options that read as the node's attributes; `slots` are the values of its graph. Throws Inexpressible where the
/// attributes are not the operator's, or the graph form does not hold all of its options.
WrittenOptions write_options(flatbuffers::FlatBufferBuilder& builder, const Node& node, std::span<const SlotInfo> slots,
                             schema::BuiltinOperator code, const Place& place);

}  // namespace ifcert::tflite
