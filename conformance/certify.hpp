// The conformance run: vectors on adapters, in the requested number of processes.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "conformance/adapter.hpp"
#include "conformance/certification.hpp"
#include "conformance/journal.hpp"
#include "conformance/known_failures.hpp"
#include "conformance/selection.hpp"
#include "conformance/session.hpp"
#include "conformance/shard.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

struct Order {
  Selection selection{};
  Shard shard{};
  Limits limits{};
  std::size_t jobs = 1;    // worker threads, each with an adapter process of its own
  std::size_t repeat = 1;  // rounds of all vectors; results that differ are FAIL (unstable)
  /// A failure that is not listed here is retried in a fresh process once all vectors have been tried; if it ends
  /// differently there, it is FAIL (unstable). Failures with the same cause share a process: the first of them
  /// represents those that fail again as it does (Result::confirmed_by).
  std::span<const KnownFailures> known_failures{};
  bool strict = false;  // only recorded: the results are not compared with any list
  /// Receives every trial as it is settled; trials that it already has are not run again.
  Journal* journal = nullptr;
  /// Called after every vector, by one thread at a time.
  std::function<void(std::size_t done, std::size_t total, const Result& last)> progress{};
  /// The same for retries.
  std::function<void(std::size_t done, std::size_t total, const Result& last)> confirming{};
  /// Checked before every vector: once true, the remaining vectors are NOT-RUN.
  const std::atomic<bool>* interrupted = nullptr;
};

/// The certification before the first result: everything but its results, with the adapters as their manifests describe
/// them. Throws Error for a selector that matches nothing, for more shards than vectors, and for an adapter with
/// nothing to run.
Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const Order& order);

/// Runs the selected vectors of each adapter's systems on it, and their twins, which are not counted. Results are in
/// the adapters' order and then the manifest's, whatever the number of jobs; the caller fills in the rules and compares
/// with the known-failure lists. Throws Error as plan_of does, where a command cannot be started or the journal cannot
/// be written, and where files of vectors were changed meanwhile: the journal is then marked as unusable.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order);

/// 2 when a result shows that the run itself failed (HARNESS, NOT-RUN), 1 when a known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
