#include "limits/meter.hpp"

#include <fmt/format.h>

namespace ifcert {
namespace {

/// "4 GiB", "1000 bytes".
std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kibi = 1024;
  if (bytes >= kibi * kibi * kibi && bytes % (kibi * kibi * kibi) == 0)
    return fmt::format("{} GiB", bytes / kibi / kibi / kibi);
  if (bytes >= kibi * kibi && bytes % (kibi * kibi) == 0) return fmt::format("{} MiB", bytes / kibi / kibi);
  return fmt::format("{} bytes", bytes);
}

}  // namespace

Meter::Meter(const RunLimits& limits) : limits_(limits), nodes_left_(limits.nodes) {}

void Meter::spend_node() {
  if (nodes_left_-- == 0)
    throw LimitExceeded(Limit::nodes, fmt::format("the run evaluates more than {} nodes", limits_.nodes));
  spend_steps(steps_per_node);
}

void Meter::check_time() {
  constexpr std::chrono::milliseconds between{50};
  steps_until_check_ = steps_between_checks;
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - begun_).count() > limits_.seconds)
    throw LimitExceeded(Limit::time, fmt::format("the run takes longer than {} s", limits_.seconds));
  if (!limits_.interrupt || now - interrupted_ < between) return;
  interrupted_ = now;
  limits_.interrupt();
}

void Meter::refuse_bytes(std::uint64_t bytes, std::uint64_t held, const std::string& what) const {
  throw LimitExceeded(Limit::memory, fmt::format("{} takes {}; the run holds {} and may hold {}", what,
                                                 size_text(bytes), size_text(held), size_text(limits_.memory)));
}

}  // namespace ifcert
