// How IR writes element types and shapes.
#pragma once

#include <ifcert/types.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ifcert::openvino {

/// The element type of "f32", "i64", "boolean", …, or of a port's precision "FP32", "I64", "BOOL"; nullopt for an
/// unknown name. "dynamic" is `undefined`.
std::optional<ElementType> element_type_of(std::string_view name);

/// A shape as written in an attribute: "2,4", "" for a scalar, "?" or "-1" for an unknown dim, "1..10" for a bounded
/// one; nullopt where the text is not a shape. "..." means an unknown rank: Type's shape stays unset.
struct ShapeText {
  std::optional<Shape> shape;
};
std::optional<ShapeText> shape_of(std::string_view text);

/// The name of the type in attributes: "f32", "i64", "boolean", …; "dynamic" for `undefined`, and empty where IR has no
/// such type.
std::string_view attribute_name_of(ElementType type);

/// The name of the type at ports: "FP32", "I64", "BOOL", ….
std::string_view precision_of(ElementType type);

/// A shape as written in an attribute; "..." where there is none.
std::string shape_text(const std::optional<Shape>& shape);

}  // namespace ifcert::openvino
