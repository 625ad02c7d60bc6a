// Values of the protocol as Python: arrays of numpy where numpy has the type, as in
// conformance/reproduce/plain_apis/values.py.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// A literal of the text; of bytes that are not ASCII a decoded one.
std::string python_text(std::string_view text);

/// Whether the value is a tensor of a type that numpy has.
bool is_array(const nlohmann::json& value);

/// An expression for a well-formed value: numbers where they are few and exact, otherwise the bytes.
std::string python_value(const nlohmann::json& value);

/// Whether plain_value() can write the value: there is no tensor of a type that numpy lacks.
bool is_plain(const nlohmann::json& value);

/// An expression for the value as most runtimes take it: an array (of objects for strings), a list for a sequence, and
/// for an optional its value or None.
std::string plain_value(const nlohmann::json& value);

}  // namespace ifcert::conformance
