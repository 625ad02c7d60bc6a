// Delays Ctrl-C where a command must not be stopped in the middle.
#pragma once

namespace ifcert::conformance {

/// While it exists, the first SIGINT or SIGTERM waits until end_if_any() is called; the second ends the program at
/// once. A signal that was ignored when the program started stays ignored.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// Throws Interrupted where a signal is waiting.
  static void end_if_any();
};

/// The signal that a user, or the system, has sent to end the program.
struct Interrupted {
  int signal;
};

/// Ends the program by that signal, so that its parent sees how it ended.
void end_by(const Interrupted& interrupted);

}  // namespace ifcert::conformance
