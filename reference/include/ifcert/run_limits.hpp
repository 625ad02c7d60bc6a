// The limits of a run, and the exceptions where it exceeds them.
#pragma once

#include <cstdint>
#include <functional>
#include <ifcert/evaluation_error.hpp>
#include <limits>
#include <memory>
#include <new>
#include <string>

namespace ifcert {

/// The resources of a run that are limited.
enum class Limit : std::uint8_t { nodes, time, memory };

/// A run that would exceed one of its limits, with the place in the model.
class LimitExceeded : public EvaluationError {
 public:
  LimitExceeded(Limit which, const std::string& message) : EvaluationError(message), limit(which) {}
  Limit limit;
};

/// Memory ran out, with the place in the model or the step that needed it.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(const std::string& message)
      : message_(std::make_shared<const std::string>(printable(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;  // copying an exception must not throw
};

/// The default limit on the bytes of a run's values.
inline constexpr std::uint64_t default_memory_limit = std::uint64_t{4} << 30;

/// The default limit on the time of an interactive run (`ifcert run`, Python).
inline constexpr double default_seconds_limit = 60;

struct RunLimits {
  /// The number of node evaluations; each trip of a Loop, Scan or SequenceMap, each test of a While (but not its trips)
  /// and each batch of a Scan count as one more. A node whose constant result was computed before the run counts too.
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  /// Enforced to within a fraction of a second.
  double seconds = std::numeric_limits<double>::infinity();
  /// Bytes of the values that the run has made and still holds, contents of strings included; the model and the inputs
  /// do not count.
  std::uint64_t memory = default_memory_limit;
  /// Called about twenty times a second; an exception that it throws ends the run.
  std::function<void()> interrupt = {};
};

}  // namespace ifcert
