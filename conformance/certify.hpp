// The conformance run: vectors against adapters, in as many processes as asked for.
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

/// What is asked for, before the first result: everything of the certification but its results, with the adapters as
/// their manifests say. Throws Error: a selector that matches nothing, more shards than vectors, an adapter with
/// nothing to run.
Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const Order& order);

/// Runs the selected vectors of each adapter's systems on it, and their twins, which are not counted. Results come in
/// the adapters' order and then the manifest's, whatever the jobs; the rules and the known-failure lists are the
/// caller's. Throws Error as plan_of does, where a command cannot be started or the journal cannot be written, and
/// where the files of vectors were changed meanwhile: the journal is spoilt then.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order);

/// 2 when a result says that the run itself failed (HARNESS, NOT-RUN), 1 when a known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
