// Values written as JSON by a person: what `ifcert run --input NAME=JSON` takes, and what it writes where .npy cannot.
#pragma once

#include <ifcert/values.hpp>
#include <nlohmann/json.hpp>

namespace ifcert::conformance {

/// Nested lists as a tensor of the declared element type (float32 where none is declared): `true`, `[1, 2]`, `["a"]`; a
/// list of such as a sequence; null as an optional without a value. Throws Error where lists are ragged or an element
/// is no such element.
Value value_from_json(const nlohmann::json& json, const Type& type);

/// The same form from a value; elements that JSON has no number for (nan, complex) as text.
nlohmann::json json_from_value(const Value& value);

}  // namespace ifcert::conformance
