// The conformance run: vectors against adapters, in as many processes as asked for.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "conformance/adapter.hpp"
#include "conformance/certification.hpp"
#include "conformance/selection.hpp"
#include "conformance/session.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

struct Order {
  Selection selection{};
  Limits limits{};
  std::size_t jobs = 1;  // worker threads, each with an adapter process of its own
  /// Called after every vector, by one thread at a time.
  std::function<void(std::size_t done, std::size_t total, const Result& last)> progress{};
  /// Looked at before every vector: once true, the vectors that are left are NOT-RUN.
  const std::atomic<bool>* interrupted = nullptr;
};

/// Runs the selected vectors of each adapter's systems on it, and their twins, which are not counted. Results come in
/// the adapters' order and then the manifest's, whatever the jobs; the rules and the known-failure lists are the
/// caller's. Throws Error: a selector that matches nothing, an adapter with nothing to run, a command that cannot be
/// started.
Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order);

/// 2 when a result says that the run itself failed (HARNESS, NOT-RUN), 1 when a known-failure list disagrees, else 0.
int exit_code(const Certification& certification);

}  // namespace ifcert::conformance
