// Values written as JSON by a person: what `ifcert run --input NAME=JSON` takes, and what it writes where .npy cannot.
#pragma once

#include <ifcert/values.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace ifcert::conformance {

/// JSON as a person writes it, with the sign that a number -0 has; discarded where it is no JSON.
nlohmann::json parse_json(const std::string& text);

/// Nested lists as a tensor of the declared element type (float32 where none is declared): `true`, `[1, 2]`, `["a"]`; a
/// list of such as a sequence; null as an optional without a value. The texts "nan", "inf" and "-inf" are
/// elements of floating-point types. Throws Error where lists are ragged or an element
/// is no such element.
Value value_from_json(const nlohmann::json& json, const Type& type);

/// The same form from a value; elements that JSON has no number for (nan, inf, complex) as text.
nlohmann::json json_from_value(const Value& value);

}  // namespace ifcert::conformance
