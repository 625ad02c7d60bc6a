// Ctrl-C where a command must not be cut off in the middle.
#pragma once

namespace ifcert::conformance {

/// While it lives, the first SIGINT or SIGTERM waits until end_if_any() is called; the second ends the program at once.
/// A signal that the program was started to ignore stays ignored.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// Where a signal waits, throws Interrupted.
  static void end_if_any();
};

/// The signal that a person, or the system, has sent to end the program.
struct Interrupted {
  int signal;
};

/// Ends the program by that signal, so that whoever started it sees it ended by it.
void end_by(const Interrupted& interrupted);

}  // namespace ifcert::conformance
