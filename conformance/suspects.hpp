// Failures that no list names, to be tried again in fresh processes: a runtime may have failed only because of what an
// earlier model has left behind.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/trial.hpp"

namespace ifcert::conformance {

/// The rounds of one vector on one adapter that failed alike.
struct Suspect {
  std::size_t vector;  // its place in the share
  std::vector<std::size_t> rounds;
  std::vector<Trial> trials;  // of each of these rounds
  std::optional<std::size_t> control{};
};

/// A vector that passed, tried just before a suspect in a process that others have used: where it does not pass any
/// more, the process is damaged, and says nothing of the suspect. The next one of the suspect's rule, or the next one
/// of any, because what came before the suspect may be what damages it; else the one before. `passed`: places in the
/// share, in order, with their rules.
std::optional<std::size_t> control_of(std::size_t suspect, std::string_view rule,
                                      const std::vector<std::pair<std::size_t, std::string_view>>& passed);

/// What failures have in common that have one cause: verdict, fault, phase, and the messages, ours and the runtime's
/// own, but for names and numbers.
std::string cause_of(const Result& result);

/// Whether both are the same ruling for the same cause.
bool fail_alike(const Result& one, const Result& other);

/// Suspects of one cause, which one fresh process is tried on: first the one that was tried last, so that what damages
/// the process comes after those whom it damaged. At most 32, so that a process has not had many models.
using Batch = std::vector<Suspect>;
std::vector<Batch> batches_of(std::vector<Suspect> suspects);

/// The trial as FAIL (unstable): it failed, and `again`, in another process, was ruled otherwise. `alone`: that process
/// was fresh.
void make_unstable(Trial& trial, const Result& again, bool alone);

}  // namespace ifcert::conformance
