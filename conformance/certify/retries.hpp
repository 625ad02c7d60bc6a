// Suspects: failures of the runtime (so not ADAPTER) that no list names. They are retried in fresh processes, because a
// runtime may have failed only because an earlier model damaged its process.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certify/known_failures.hpp"
#include "conformance/certify/trial.hpp"

namespace ifcert::conformance {

/// Whether a result is retried: a failure, unless the adapter itself failed or a list already names the failure.
/// LENIENT is not a failure.
bool is_suspect(std::span<const KnownFailures> lists, const Result& result);

/// A vector that passed. A process that has already run suspects runs it again before the next one. If it no longer
/// passes, the process is damaged and shows nothing about that suspect.
struct Probe {
  std::size_t vector;  // its index in AdapterProgress::vectors (scheduler.hpp)
  std::string_view rule;
};

/// The rounds of one vector on one adapter that failed in the same way.
struct Suspect {
  std::size_t vector;  // its index in AdapterProgress::vectors (scheduler.hpp)
  std::vector<std::size_t> rounds;
  std::vector<Trial> trials;           // of each of these rounds
  std::optional<std::size_t> probe{};  // the vector that serves as its probe, as an index like `vector`
};

/// Chooses the probe of a suspect with this index and rule, and returns the probe's index in
/// AdapterProgress::vectors. It is the next eligible vector of the suspect's rule, else the next of any rule, else the
/// nearest one before the suspect. A later vector is better, because an earlier one may have damaged the process in
/// which the suspect failed, and would do so again. `eligible` is in the order of AdapterProgress::vectors.
std::optional<std::size_t> probe_of(std::size_t suspect, std::string_view rule, const std::vector<Probe>& eligible);

/// Suspects with one cause, to be retried in one fresh process: at most 32, so that a process runs only a few models.
/// They are in the reverse of the order in which they were tried, so that a model that damages the process comes after
/// the models that failed because of the damage.
using Batch = std::vector<Suspect>;
std::vector<Batch> batches_of(std::vector<Suspect> suspects);

/// Turns a failed trial into FAIL (unstable), because the retry in another process had another result, `again`.
/// `was_first`: the retry was the first vector of its process.
void make_unstable(Trial& trial, const Result& again, bool was_first);

}  // namespace ifcert::conformance
