// A model that somebody gives, to be made smaller: a file, or a finding of a campaign.
#pragma once

#include <cstdint>
#include <filesystem>

#include "conformance/fuzz/campaign.hpp"
#include "generator/generate.hpp"

namespace ifcert::conformance {

/// The model and the runs of a finding: its folder, or the finding.json there. Throws Error.
generator::Generated read_finding(const std::filesystem::path& finding);

/// Whether the path is a finding's.
bool is_finding(const std::filesystem::path& path);

/// Three runs with any inputs of the declared types; sizes that are not declared are from 1 to 3. Throws Error where an
/// input is no tensor.
std::vector<std::vector<Value>> any_runs(const Graph& main, std::uint64_t seed);

/// Tries the model and makes it smaller. A model that passes has no findings. Throws Error where the model breaks a
/// rule or does not compute.
Campaign shrink_given(const Project& project, const Adapter& adapter, const Limits& limits,
                      const generator::ShrinkLimits& shrinking, const generator::Generated& given);

}  // namespace ifcert::conformance
