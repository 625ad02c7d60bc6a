// A kernel's work and memory, within the limits of the run. The evaluator and results count what follows from the sizes
// of operands and results; a kernel itself ticks where it goes on for longer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "limits/meter.hpp"

namespace ifcert {

/// The work of one kernel. Outside a run nothing is counted, and nothing is limited.
class Work {
 public:
  Work() = default;

  /// `cost`: the steps of an element that is read or made, from the operator's row.
  explicit Work(Meter& meter, std::uint64_t cost = 1) : meter_(&meter), cost_(cost) {}

  bool is_in_run() const { return meter_ != nullptr; }

  /// Counts work, in steps of about a nanosecond. Throws LimitExceeded, and what the caller's interrupt throws.
  void tick(std::uint64_t steps) const {
    if (meter_ != nullptr) meter_->spend_steps(steps);
  }

  /// Counts an operand that is read or a result that is made. Throws as tick() does.
  void pass(std::uint64_t elements, std::size_t dims) const {
    constexpr std::uint64_t steps_per_dim = 10;
    tick(elements * cost_ + dims * steps_per_dim);
  }

  /// Counts memory that outlives the kernel. Throws as Meter::charge() does.
  template <class What>
  void charge(Charge& charge, std::uint64_t bytes, What what) const {
    if (meter_ != nullptr) meter_->charge(charge, bytes, what);
  }

  /// Only checks that the run has that many bytes left: for memory that is needed while the kernel runs.
  template <class What>
  void expect_room(std::uint64_t bytes, What what) const {
    if (meter_ != nullptr) meter_->expect_room(bytes, what);
  }

 private:
  Meter* meter_ = nullptr;
  std::uint64_t cost_ = 1;
};

/// Does a job of `count` equal parts in pieces, job(first, last), and ticks for each part.
template <class Job>
void in_pieces(const Work& work, std::uint64_t count, Job job) {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  for (std::uint64_t first = 0; first < count; first += most) {
    const std::uint64_t last = std::min(count, first + most);
    work.tick(last - first);
    job(first, last);
  }
}

/// `count` zeros that a kernel needs while it runs. Throws LimitExceeded if the run has less memory left; `what`
/// returns their description for the error message.
template <class T, class What>
std::vector<T> scratch(const Work& work, std::size_t count, What what) {
  constexpr std::size_t countable = std::numeric_limits<std::size_t>::max() / sizeof(T);
  work.expect_room(std::min(count, countable) * sizeof(T), what);
  return std::vector<T>(count);
}

}  // namespace ifcert
