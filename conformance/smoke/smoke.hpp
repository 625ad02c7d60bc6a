// The first check for the author of an adapter: a few vectors and the protocol around them, and whose fault a failure
// is.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/runtimes/session.hpp"
#include "conformance/smoke/smoke_checks.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// The result of one check.
struct SmokeStep {
  enum class Outcome { ok, not_tried, adapter, runtime };
  std::string name{};  // of the check
  std::string what{};
  Outcome outcome = Outcome::ok;
  std::string reason{};    // what is wrong, or why the step was not tried; empty for ok
  std::string evidence{};  // the end of what the process printed meanwhile
  std::string cause{};     // equal for steps that probably failed for the same reason (causes.hpp)
  std::string own{};       // the runtime's own line about it, else ours
};

/// The failed steps, grouped by cause: the most frequent first, then in the order of the steps.
std::vector<std::vector<const SmokeStep*>> smoke_causes(std::span<const SmokeStep> steps);

/// The checks that need no vector: "start" comes before all others, "bye" and "end-of-input" after them.
std::vector<std::string> smoke_checks_without_vector();

/// Tries the adapter: hello, each of `checks`, and those of its two ends that the glob selects (with a model loaded, if
/// there is a check). A refused vector is tried after its twin, also where the twin is not among the checks. Calls
/// `tell` for each result. Nothing else is tried once hello has failed. Throws Error when the suite has no such vector
/// or the command cannot be started.
std::vector<SmokeStep> smoke(const Project& project, const Adapter& adapter, const Suite& suite,
                             std::span<const SmokeCheck> checks, const Limits& limits,
                             const std::function<void(const SmokeStep&)>& tell = {}, const std::string& glob = "*");

}  // namespace ifcert::conformance
