// Suspects: failures that no list names. They are retried in fresh processes, because a runtime may have failed only
// because an earlier model damaged its process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/trial.hpp"

namespace ifcert::conformance {

/// The rounds of one vector on one adapter that failed in the same way.
struct Suspect {
  std::size_t vector;  // its index in the share
  std::vector<std::size_t> rounds;
  std::vector<Trial> trials;  // of each of these rounds
  std::optional<std::size_t> control{};
};

/// The control of a suspect: a vector that passed, run again just before the suspect in a process that other suspects
/// have used. If it no longer passes, the process is damaged and shows nothing about the suspect. It is the next vector
/// of the suspect's rule, else the next of any rule, else the last one: a vector from before the suspect may be what
/// damages the process, so later ones are preferred. `passed`: indices in the share, in order, with their rules.
std::optional<std::size_t> control_of(std::size_t suspect, std::string_view rule,
                                      const std::vector<std::pair<std::size_t, std::string_view>>& passed);

/// Suspects with one cause, to be retried in one fresh process: at most 32, so that no process runs too many models.
/// They are in reverse order, so that a model that damages the process comes after the models that suffered from it.
using Batch = std::vector<Suspect>;
std::vector<Batch> batches_of(std::vector<Suspect> suspects);

/// Turns a failed trial into FAIL (unstable), because `again`, in another process, ended differently. `alone`: that
/// process was fresh.
void make_unstable(Trial& trial, const Result& again, bool alone);

}  // namespace ifcert::conformance
