// The rest of a run's limits. Kernels see it as their Work (limits/work.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ifcert/run_limits.hpp>
#include <memory>
#include <string>
#include <utility>

namespace ifcert {

/// The total number of bytes that a run's values hold. Values may outlive the run, and be freed in any thread.
using HeldBytes = std::atomic<std::uint64_t>;

/// A share of the memory that a run may use, released on destruction.
class Charge {
 public:
  Charge() = default;
  explicit Charge(std::shared_ptr<HeldBytes> held) : held_(std::move(held)) {}
  Charge(Charge&& other) noexcept : held_(std::move(other.held_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(held_, other.held_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() {
    if (bytes_ > 0) held_->fetch_sub(bytes_, std::memory_order_relaxed);
  }

 private:
  friend class Meter;
  std::shared_ptr<HeldBytes> held_;
  std::uint64_t bytes_ = 0;
};

class Meter {
 public:
  explicit Meter(const RunLimits& limits);

  /// Counts the evaluation of a node, a trip, or a batch, so that a loop whose body is empty reaches the limit.
  /// Throws LimitExceeded.
  void spend_node();

  /// Counts work, in steps of about a nanosecond. Steps have no limit; they only pace the checks of the time. Throws
  /// LimitExceeded, and what the caller's interrupt throws.
  void spend_steps(std::uint64_t steps) {
    if (steps < steps_until_check_)
      steps_until_check_ -= steps;
    else
      check_time();
  }

  /// Adds bytes to the charge. Throws LimitExceeded if the run has fewer left; `what` returns the description of the
  /// bytes for the error message.
  template <class What>
  void charge(Charge& charge, std::uint64_t bytes, What what) {
    expect_room(bytes, what);
    if (charge.held_ == nullptr) charge.held_ = held_;
    held_->fetch_add(bytes, std::memory_order_relaxed);
    charge.bytes_ += bytes;
  }

  /// Only checks that the run has that many bytes left, and adds nothing: for memory that a kernel needs only while it
  /// runs. Throws as charge() does.
  template <class What>
  void expect_room(std::uint64_t bytes, What what) const {
    const std::uint64_t held = held_->load(std::memory_order_relaxed);
    if (held > limits_.memory || bytes > limits_.memory - held) refuse_bytes(bytes, held, what());
  }

  const RunLimits& limits() const { return limits_; }

  /// The time that is left to the run.
  double seconds_left() const { return limits_.seconds - std::chrono::duration<double>(Clock::now() - begun_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  void check_time();
  [[noreturn]] void refuse_bytes(std::uint64_t bytes, std::uint64_t held, const std::string& what) const;

  static constexpr std::uint64_t steps_between_checks = std::uint64_t{1} << 20;
  static constexpr std::uint64_t steps_per_node = 100;

  const RunLimits& limits_;
  std::uint64_t nodes_left_;
  std::uint64_t steps_until_check_ = steps_between_checks;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point interrupted_ = begun_;  // when the caller's interrupt was last called
  std::shared_ptr<HeldBytes> held_ = std::make_shared<HeldBytes>(0);
};

}  // namespace ifcert
