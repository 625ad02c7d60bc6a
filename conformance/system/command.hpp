// A command that is run to its end.
#pragma once

#include <string>
#include <vector>

namespace ifcert::conformance {

/// Runs a command with this process's streams to its end. Throws Error unless it ends with exit code 0.
void run_to_end(std::vector<std::string> command);

/// Runs a command with this process's streams, and returns its exit code; 128 and the signal's number where a signal
/// ended it. Throws Error where it cannot be started.
int exit_code_of(std::vector<std::string> command);

/// How a command ended: its exit code as above, and what it printed on both streams.
struct CommandResult {
  int code = 0;
  std::string output;
};

/// Throws Error where it cannot be started.
CommandResult ended(std::vector<std::string> command);

/// The standard output of a command. Throws Error unless it ends with exit code 0.
std::string output_of(std::vector<std::string> command);

}  // namespace ifcert::conformance
