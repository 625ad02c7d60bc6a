// Types of the schema ↔ ours.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>
#include <optional>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite {

/// The version of the schema; Circle has its own numbering, from 0 on. Sentence: schema-model-version.
inline constexpr std::uint32_t schema_version = 3;

/// The element type, `undefined` for types that are not element types (RESOURCE, VARIANT); nullopt for a number that
/// the schema does not list.
std::optional<ElementType> element_type_of(schema::TensorType type);

/// The schema's number for the type; nullopt where it has none.
std::optional<schema::TensorType> tensor_type_of(ElementType type);

}  // namespace ifcert::tflite
