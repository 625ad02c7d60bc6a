// How much a run may take, and what it says when it would take more.
#pragma once

#include <cstdint>
#include <functional>
#include <ifcert/evaluation_error.hpp>
#include <limits>
#include <memory>
#include <new>
#include <string>

namespace ifcert {

/// What of a run has a limit.
enum class Limit : std::uint8_t { nodes, time, memory };

/// A run that would go beyond one of its limits, with the place in the model.
class LimitExceeded : public EvaluationError {
 public:
  LimitExceeded(Limit which, const std::string& message) : EvaluationError(message), limit(which) {}
  Limit limit;
};

/// There is no memory for what stands at a place in the model, or for a step of what is done with it.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(const std::string& message)
      : message_(std::make_shared<const std::string>(printable(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;  // copying an exception must not throw
};

/// What the values of a run may take together where nothing else is said.
inline constexpr std::uint64_t default_memory_limit = std::uint64_t{4} << 30;

/// How long a run lasts at most that a person waits for (`ifcert run`, Python), where nothing else is said.
inline constexpr double default_seconds_limit = 60;

struct RunLimits {
  /// Nodes evaluated, counting each time.
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  /// Held within a fraction of a second.
  double seconds = std::numeric_limits<double>::infinity();
  /// Bytes of the values that the run has made and still holds, contents of strings included; the model and the inputs
  /// do not count.
  std::uint64_t memory = default_memory_limit;
  /// Called some twenty times a second; what it throws ends the run.
  std::function<void()> interrupt = {};
};

}  // namespace ifcert
