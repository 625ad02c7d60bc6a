// How IR writes element types and shapes.
#pragma once

#include <ifcert/types.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ifcert::openvino {

/// The element type of "f32", "i64", "boolean", …, or of a port's precision "FP32", "I64", "BOOL"; nullopt where we
/// have none of that name. "dynamic" is `undefined`.
std::optional<ElementType> element_type_of(std::string_view name);

/// A shape as an attribute writes it: "2,4", "" of a scalar, "?" or "-1" of a dim that is not known, "1..10" of one
/// that is known to lie between; nullopt where the text is no shape. "..." is no shape at all: Type's shape stays
/// unset.
struct ShapeText {
  std::optional<Shape> shape;
};
std::optional<ShapeText> shape_of(std::string_view text);

/// "f32", "i64", "boolean", …: how attributes name the type; "dynamic" of `undefined`, and empty where IR has no such
/// type.
std::string_view attribute_name_of(ElementType type);

/// "FP32", "I64", "BOOL", …: how ports name it.
std::string_view precision_of(ElementType type);

/// A shape as an attribute writes it; "..." where there is none.
std::string shape_text(const std::optional<Shape>& shape);

}  // namespace ifcert::openvino
