// Failures that no list names, to be retried in fresh processes: a runtime may have failed only because an earlier
// model damaged its process.
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

/// The control: a vector that passed, run just before a suspect in a process that other suspects have used. Where it no
/// longer passes, the process is damaged and shows nothing about the suspect. It is the next vector of the suspect's
/// rule, or the next one of any rule, because what ran before the suspect may be what damages it; else the one before.
/// `passed`: indices in the share, in order, with their rules.
std::optional<std::size_t> control_of(std::size_t suspect, std::string_view rule,
                                      const std::vector<std::pair<std::size_t, std::string_view>>& passed);

/// The common features of failures with the same cause: verdict, fault, phase, and the messages, ours and the
/// runtime's, without names and numbers.
std::string cause_of(const Result& result);

/// Whether both are the same ruling for the same cause.
bool fail_alike(const Result& one, const Result& other);

/// Suspects of one cause that are retried in one fresh process: the one that was tried last comes first, so that a
/// model that damages the process comes after the models that it damaged. At most 32, so that no process runs too many
/// models.
using Batch = std::vector<Suspect>;
std::vector<Batch> batches_of(std::vector<Suspect> suspects);

/// The trial as FAIL (unstable): it failed, and `again`, in another process, ended differently. `alone`: that process
/// was fresh.
void make_unstable(Trial& trial, const Result& again, bool alone);

}  // namespace ifcert::conformance
