// The settings of a run that must be the same for results to be combined.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// The manifest, the selector, the shard, the limits that affect results, and each adapter's name, version and digest.
/// The number of jobs does not affect results.
nlohmann::json settings_of(const Certification& certification);

/// How the settings differ: "limits.timeout_s is 30.0 there and 20.0 here; …"; empty if they do not.
std::string difference(const nlohmann::json& there, const nlohmann::json& here);

}  // namespace ifcert::conformance
