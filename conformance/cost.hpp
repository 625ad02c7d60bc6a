// The cost of a certification: the wall time, and how much of it is ours and not the runtime's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// Our own part of a vector's time, runner and adapter: its wall time minus the runtime's time for load, runs and
/// unload. In milliseconds.
struct OwnShare {
  double median = 0;
  double percentile_95 = 0;
};

/// The cost of one adapter's vectors.
struct Cost {
  std::string adapter;
  std::size_t vectors = 0;       // those that have a result
  double milliseconds = 0;       // the sum over the vectors: two jobs at a time take about half of it
  std::optional<Effort> effort;  // the wall time; nothing where it was not measured
  std::size_t seen_alone = 0;    // failures that no list names and that failed again alone in a fresh process
  std::size_t seen_after = 0;    // and those that failed again after one with the same failure
  std::optional<OwnShare>
      own_share;  // of the vectors whose runtime's time the adapter reported; nothing: it reported none
};

/// One per adapter, in the certification's order.
std::vector<Cost> costs_of(const Certification& certification);

/// "onnxruntime: 465 vectors in 6.4 s, and 0.9 s to retry failures that no list names: 2 alone in a fresh
/// process, 5 after one with the same failure; our share per vector: median 0.21 ms, 95th percentile 0.44 ms"
std::string cost_line(const Cost& cost);

}  // namespace ifcert::conformance
