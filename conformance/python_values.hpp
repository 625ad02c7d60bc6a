// Values of the protocol as Python: arrays of numpy where numpy has the type, as in conformance/plain_apis/values.py.
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

}  // namespace ifcert::conformance
