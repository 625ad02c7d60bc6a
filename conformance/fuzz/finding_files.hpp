// The files of a finding.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/fuzz/campaign.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The finding in one sentence: "FAIL (wrong-value): output y0: element 0 is 1, expected 0".
std::string headline(const Shown& shown);

/// Throws Error if the folder contains anything other than a finding, which would be lost.
void require_finding_folder(const std::filesystem::path& folder);

/// Replaces the folder, which may contain an earlier finding, by a new one with: the smallest model, finding.json,
/// vector.json (a draft: its rule and reasons are left to a person), model.txt, model.svg, model.html, original/ with
/// the generated model (if a smaller one was found), and show.py (if the runtime's plain API is known). Throws Error.
void write_finding(const std::filesystem::path& folder, const FuzzFinding& finding, const AdapterIdentity& adapter,
                   const Project& project);

/// A line of findings.jsonl. `folder` is where the finding was written.
nlohmann::ordered_json json_of(const FuzzFinding& finding, const AdapterIdentity& adapter, const std::string& folder);

}  // namespace ifcert::conformance
