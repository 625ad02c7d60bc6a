// A result, an adapter and a wall time as JSON, as in results.jsonl and the journal.
#pragma once

#include <nlohmann/json.hpp>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// Members without information (no fault, no evidence) are left out.
nlohmann::ordered_json json_of(const Result& result);
nlohmann::ordered_json json_of(const SiblingResult& result);
nlohmann::ordered_json json_of(const RewritingResult& result);
nlohmann::ordered_json json_of(const AdapterIdentity& adapter);
nlohmann::ordered_json json_of(const WallTime& wall_time);
nlohmann::ordered_json json_of(const KeptCount& kept);

/// The reverse, from JSON that matches conformance/schemas/results.schema.json.
Result result_from(const nlohmann::json& line);
AdapterIdentity adapter_from(const nlohmann::json& line);
WallTime wall_time_from(const nlohmann::json& line);

}  // namespace ifcert::conformance
