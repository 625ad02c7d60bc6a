// What a certification cost: the wall time, and how much of it is ours and not the runtime's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// Our own part of a vector's time, runner and adapter: its wall time less what the runtime took for its load, runs and
/// unload. In milliseconds.
struct OwnShare {
  double median = 0;
  double percentile_95 = 0;
};

/// What one adapter's vectors cost.
struct Cost {
  std::string adapter;
  std::size_t vectors = 0;            // those that have a result
  double milliseconds = 0;            // of each vector, summed: two jobs at a time take about half of it
  std::optional<Effort> effort;       // the wall time; none where nobody measured it
  std::size_t seen_alone = 0;         // failures that no list names, seen again alone in a fresh process
  std::size_t seen_after = 0;         // and those seen again after another that fails alike
  std::optional<OwnShare> own_share;  // of the vectors whose runtime's time the adapter told; none: it told nothing
};

/// One per adapter, in the certification's order.
std::vector<Cost> costs_of(const Certification& certification);

/// "onnxruntime: 465 vectors in 6.4 s, and 0.9 s to try again what failed and no list names: 2 alone in a fresh
/// process, 5 after one that fails alike; our own share of a vector: median 0.21 ms, 95th percentile 0.44 ms"
std::string cost_line(const Cost& cost);

}  // namespace ifcert::conformance
