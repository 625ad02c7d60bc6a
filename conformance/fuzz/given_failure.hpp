// A given model that is to be made smaller: a file, or a finding of a campaign.
#pragma once

#include <cstdint>
#include <filesystem>

#include "conformance/fuzz/campaign.hpp"
#include "generator/generate.hpp"

namespace ifcert::conformance {

/// The model and the runs of a finding. `finding` is its folder, or the finding.json in it. Throws Error.
generator::Generated read_finding(const std::filesystem::path& finding);

/// Whether the path is the folder of a finding, or its finding.json.
bool is_finding(const std::filesystem::path& path);

/// Three runs with random inputs of the declared types; sizes that are not declared are from 1 to 3. Throws Error for
/// an input that is not a tensor of bool, int32, int64, float32 or strings.
std::vector<std::vector<Value>> any_runs(const Graph& main, std::uint64_t seed);

/// Runs the model on the adapter and, if that fails, makes it smaller: the campaign has one finding, or none if the
/// model passes. Throws Error if the model breaks a rule or does not compute.
Campaign shrink_given(const Project& project, const Adapter& adapter, const Limits& limits,
                      const generator::ShrinkLimits& shrinking, const generator::Generated& given);

}  // namespace ifcert::conformance
