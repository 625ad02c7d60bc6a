// Protects results of an earlier run from a smaller one, and from the merger of fewer shards.
#pragma once

#include <filesystem>
#include <string>

#include "conformance/results/certification.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// The results in the folder, of a finished or an interrupted run, that a run of this plan would remove without running
/// their vectors again: "889 of litert, 2549 of onnxruntime"; empty if there are none. Only results of vectors that
/// still exist count. Files that are not results are ignored.
std::string lost_results(const Suite& suite, const Certification& plan, const std::filesystem::path& folder);

/// Throws Error if the run, or the merger of runs, would lose results. The message names them and the options that
/// help.
void refuse_to_lose_results(const Suite& suite, const Certification& plan, const std::filesystem::path& folder);

}  // namespace ifcert::conformance
