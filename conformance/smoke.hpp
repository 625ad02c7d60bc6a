// The first check for the author of an adapter: a few vectors and the protocol around them, and whose fault a failure
// is.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter.hpp"
#include "conformance/session.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// One step that was tried.
struct SmokeStep {
  enum class Outcome { ok, not_declared, adapter, runtime };
  std::string what;
  Outcome outcome = Outcome::ok;
  std::string said{};      // what is wrong, or why the step was not tried; empty for ok
  std::string evidence{};  // the end of what the process printed meanwhile
  std::string cause{};     // equal for steps that probably failed for the same reason (causes.hpp)
  std::string own{};       // the runtime's own line about it, else ours
};

/// The failed steps, grouped by cause: the most frequent first, then in the order of the steps.
std::vector<std::vector<const SmokeStep*>> smoke_causes(std::span<const SmokeStep> steps);

/// The vectors of the suite that `ifcert adapter smoke` tries on an adapter of these systems: both branches, a faulty
/// model after its accepted twin, other types.
std::vector<std::string> smoke_vectors(std::span<const std::string> systems);

/// Tries the adapter: hello, each vector of `ids` (the first has two steps, load and run; it is also loaded twice in a
/// row, and held and run by four threads where hello declares that), a damaged file of each system, and bye. Calls
/// `report` for each step when it is done. Nothing else is tried once hello has failed. Throws Error when the suite has
/// no such vector or the command cannot be started.
std::vector<SmokeStep> smoke(const Project& project, const Adapter& adapter, const Suite& suite,
                             std::span<const std::string> ids, const Limits& limits,
                             const std::function<void(const SmokeStep&)>& tell = {});

}  // namespace ifcert::conformance
