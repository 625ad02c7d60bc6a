// The options of a certification: the vectors it runs, its limits and number of rounds, and its callbacks.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "conformance/certify/journal.hpp"
#include "conformance/certify/known_failures.hpp"
#include "conformance/results/shard.hpp"
#include "conformance/runtimes/session.hpp"
#include "conformance/suite/selection.hpp"

namespace ifcert::conformance {

/// Called with the last result, the number of results so far, and the number that is expected in the end.
using Progress = std::function<void(std::size_t done, std::size_t total, const Result& last)>;

struct CertificationOptions {
  Selection selection{};
  Shard shard{};
  Limits limits{};
  std::size_t jobs = 1;    // worker threads, each with its own adapter process
  std::size_t repeat = 1;  // rounds of all vectors; results that differ are FAIL (unstable)
  /// A failure of the runtime (so not ADAPTER) that is not listed here is retried in a fresh process once all vectors
  /// have been tried. If the retry has another result, the vector is FAIL (unstable). Failures with the same cause are
  /// retried in one process: the first of them confirms the later ones that fail again in the same way
  /// (Result::confirmed_by).
  std::span<const KnownFailures> known_failures{};
  /// Only recorded in the results. If it is set, the caller must pass no known_failures, so that every failure of the
  /// runtime is retried, and every failure fails the run.
  bool strict = false;
  /// Siblings of the models on which the runtime fails are run, too (siblings.hpp): without them no failure is NOT-IF.
  bool controls = true;
  /// How many rewritings of each model that passes are run, too (sampled_rewritings.hpp).
  std::size_t rewritings = 0;
  /// Every trial is recorded here as soon as it has ended, and every retried failure as soon as it is settled. Trials
  /// that the journal already contains are not run again.
  Journal* journal = nullptr;
  /// An earlier certification with the results that are not run again (kept_results.hpp).
  const Certification* kept = nullptr;
  /// Called after every vector, by one thread at a time.
  Progress progress{};
  /// Called when a retried failure is settled, by one thread at a time.
  Progress retry_progress{};
  /// Called when the rewritings of a model have been run, by one thread at a time.
  Progress rewriting_progress{};
  /// Checked before every vector: once true, the remaining vectors are NOT-RUN, and so are the failures that are still
  /// to be retried.
  const std::atomic<bool>* interrupted = nullptr;
};

}  // namespace ifcert::conformance
