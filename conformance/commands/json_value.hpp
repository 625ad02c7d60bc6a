// Values as JSON: what `ifcert run --input NAME=JSON` accepts, and what it writes where .npy cannot.
#pragma once

#include <ifcert/values.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace ifcert::conformance {

/// JSON as people write it, with the sign of -0; discarded where the text is not JSON.
nlohmann::json json_of_lists(const std::string& text);

/// Nested lists as a tensor of the declared element type (float32 where none is declared): `true`, `[1, 2]`, `["a"]`; a
/// list of such lists as a sequence; null as an optional without a value. The texts "nan", "inf" and "-inf" are
/// elements of floating-point types. Throws Error where lists are ragged or an element does not belong to the type.
Value value_from_json(const nlohmann::json& json, const Type& type);

/// The same form from a value; elements that JSON cannot represent as numbers (nan, inf, complex) are texts.
nlohmann::json json_from_value(const Value& value);

}  // namespace ifcert::conformance
