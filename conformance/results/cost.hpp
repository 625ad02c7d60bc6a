// The cost of a certification: its wall time, and which part of that time the runtime did not use.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The time that the runner and the adapter use for a vector: its wall time minus the runtime's time for load, runs and
/// unload. In milliseconds.
struct Overhead {
  double median = 0;
  double percentile_95 = 0;
};

/// The cost of one adapter's vectors.
struct Cost {
  std::string adapter;
  std::size_t vectors = 0;            // those that have a result
  double milliseconds = 0;            // the sum of the vectors' wall times; those of parallel jobs overlap
  std::optional<WallTime> wall_time;  // nothing where it was not measured
  // Failures that no list names, and that failed again in a fresh process:
  std::size_t confirmed_alone = 0;          // as its first vector
  std::size_t confirmed_after_another = 0;  // after another vector with the same failure
  /// Of those vectors for which the adapter reported the runtime's time; nothing if there are none.
  std::optional<Overhead> overhead;
};

/// The costs of each adapter, in the certification's order.
std::vector<Cost> costs_of(const Certification& certification);

/// Adds wall times of another run, adapter by adapter.
void add_wall_times(const std::map<std::string, WallTime>& more, std::map<std::string, WallTime>& sum);

/// "onnxruntime: 465 vectors in 6.4 s, and 0.9 s to retry failures that no list names; confirmed: 2 alone
/// in a fresh process, 5 after another with the same failure; overhead per vector: median 0.21 ms, 95th percentile 0.44
/// ms"
std::string cost_line(const Cost& cost);

}  // namespace ifcert::conformance
