// ONNX's TensorProto.DataType: how the attributes of operators name element types.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>
#include <string_view>

namespace ifcert::onnx {

/// The element type with that number (1 is float32); `undefined` for a number that the reference does not know.
ElementType element_type_of(std::int64_t number);

/// The element type with that name ("FLOAT"), as Cast-1 spells it; `undefined` where there is none.
ElementType element_type_of(std::string_view name);

/// The number of that type; 0 for `undefined`.
std::int32_t data_type_of(ElementType type);

}  // namespace ifcert::onnx
