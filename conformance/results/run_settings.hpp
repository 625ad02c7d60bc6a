// The settings of a certification that must be equal for its results to be resumed or merged.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The manifest, the selector, the shard, the limits, and each adapter's name, version, digest and installed files; not
/// the number of jobs, which does not affect results.
nlohmann::json settings_of(const Certification& certification);

/// How two settings differ: "limits.timeout_s is 30.0 there and 20.0 here; …"; empty if they are equal.
std::string difference(const nlohmann::json& there, const nlohmann::json& here);

/// How two runtimes that answered hello differ, wherever their adapters' folders are; empty if they are equal.
std::string difference(const AdapterIdentity& there, const AdapterIdentity& here);

}  // namespace ifcert::conformance
