// The settings of a certification: which vectors, within which limits, how often, and who is notified of progress.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "conformance/journal.hpp"
#include "conformance/known_failures.hpp"
#include "conformance/selection.hpp"
#include "conformance/session.hpp"
#include "conformance/shard.hpp"

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

}  // namespace ifcert::conformance
