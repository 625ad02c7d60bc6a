// AttributeProto: which of its fields holds the value, and whether onnx.proto allows it.
#pragma once

#include <string>

#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

/// A message about how the attribute holds its value; empty where nothing is wrong. `ir_version` is the model's: in the
/// first one attributes had no type.
std::string fault_of(const proto::Attribute& attribute, std::int64_t ir_version);

/// Does the attribute hold values in two fields, or data beside a reference?
bool holds_two_values(const proto::Attribute& attribute);

/// Does the attribute have a name and one value, so that the field in use can only be of its type, which is missing?
bool lacks_only_its_type(const proto::Attribute& attribute);

/// The field that holds the value: that of the type, or, without a type, the field that is there.
proto::AttributeType field_in_use(const proto::Attribute& attribute);

}  // namespace ifcert::onnx
