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
  std::size_t jobs = 1;    // rounds of all vectors; results that differ are FAIL (unstable)
  std::size_t repeat = 1;  // rounds of all vectors; rulings that differ are FAIL (unstable)
  /// A failure that is not as listed here is tried again, when all vectors have been tried, in a fresh process; one
  /// that is ruled otherwise there is FAIL (unstable). Failures of one cause share a process: the first of them stands
  /// for those that fail again as it does (Result::confirmed_by).
  std::span<const KnownFailures> known_failures{};
  bool strict = false;  // for the record: the results are held against no list
  /// Takes every trial as it is settled; what it held already is not run again.
  Journal* journal = nullptr;
  /// Called after every vector, by one thread at a time.
  std::function<void(std::size_t done, std::size_t total, const Result& last)> progress{};
  /// The same for what is tried again.
  std::function<void(std::size_t done, std::size_t total, const Result& last)> confirming{};
  /// Looked at before every vector: once true, the vectors that are left are NOT-RUN.
  const std::atomic<bool>* interrupted = nullptr;
};

}  // namespace ifcert::conformance
