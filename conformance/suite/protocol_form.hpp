// Values of the reference in the form of the adapter protocol, and back.
#pragma once

#include <ifcert/graph.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// The base64 text of the bytes, with padding.
std::string encode_base64(std::string_view bytes);

/// A VALUE of docs/protocol.md. The value must not be empty.
nlohmann::json protocol_form(const Value& value);

/// The reverse. Throws Error for a VALUE of the kind "other", or a tensor that contradicts itself.
Value value_from_protocol(const nlohmann::json& value);

/// [{"name", "value"}…] of the slots; empty values are left out.
nlohmann::json named_values(const Graph& graph, std::span<const Slot> slots, std::span<const Value> values);

}  // namespace ifcert::conformance
