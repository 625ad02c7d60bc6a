// A result, an adapter and an effort as JSON: what results.jsonl and the journal hold of them.
#pragma once

#include <nlohmann/json.hpp>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// What says nothing (no fault, no evidence) is left out.
nlohmann::ordered_json json_of(const Result& result);
nlohmann::ordered_json json_of(const AdapterIdentity& adapter);
nlohmann::ordered_json json_of(const Effort& effort);

/// The way back, from JSON that is as conformance/schemas/results.schema.json says.
Result result_from(const nlohmann::json& line);
AdapterIdentity adapter_from(const nlohmann::json& line);
Effort effort_from(const nlohmann::json& line);

}  // namespace ifcert::conformance
