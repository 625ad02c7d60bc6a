#include "conformance/commands/held_signals.hpp"

#include <array>
#include <csignal>
#include <utility>

namespace ifcert::conformance {
namespace {

constexpr std::array signals{SIGINT, SIGTERM};

volatile std::sig_atomic_t waiting = 0;

extern "C" void hold(int signal) {
  waiting = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

HeldSignals::HeldSignals() {
  for (const int signal : signals) {
    if (std::signal(signal, hold) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

HeldSignals::~HeldSignals() {
  for (const int signal : signals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

void HeldSignals::end_if_any() {
  // NOLINTNEXTLINE(bugprone-std-exception-baseclass): not an error, and handlers of errors must let it through
  if (waiting != 0) throw Interrupted{std::exchange(waiting, 0)};
}

void end_by(const Interrupted& interrupted) {
  std::signal(interrupted.signal, SIG_DFL);
  std::raise(interrupted.signal);
}

}  // namespace ifcert::conformance
