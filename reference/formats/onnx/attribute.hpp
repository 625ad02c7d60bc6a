// AttributeProto: which of its fields holds the value, and whether that is as onnx.proto asks.
#pragma once

#include <string>

#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

/// What is wrong with how the attribute holds its value; empty where nothing is. `ir_version` is the model's: the first
/// one gave attributes no type.
std::string fault_of(const proto::Attribute& attribute, std::int64_t ir_version);

/// Does the attribute hold values in two fields, or data beside a reference?
bool holds_two_values(const proto::Attribute& attribute);

/// The field that holds the value: what the type says, or, without a type, the field that is there.
proto::AttributeType field_in_use(const proto::Attribute& attribute);

}  // namespace ifcert::onnx
