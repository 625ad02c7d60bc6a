// Protects results of an earlier run from a smaller one, and from the merger of fewer shards.
#pragma once

#include <filesystem>
#include <string>

#include "conformance/certification.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// What would be lost if a run of this plan replaced the results in the folder, finished or interrupted: "889 of
/// litert, 2549 of onnxruntime"; empty where nothing would be. Only results of vectors that still exist count. Files
/// that are not results have nothing to lose.
std::string lost_results(const Suite& suite, const Certification& plan, const std::filesystem::path& folder);

/// Throws Error where the run, or the merger of runs, would lose results, and names them and what to do.
void refuse_to_lose_results(const Suite& suite, const Certification& plan, const std::filesystem::path& folder);

}  // namespace ifcert::conformance
