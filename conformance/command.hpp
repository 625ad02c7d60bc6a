// A command that is run to its end.
#pragma once

#include <string>
#include <vector>

namespace ifcert::conformance {

/// Runs a command with this process's streams to its end. Throws Error unless it ends with exit code 0.
void run_to_end(std::vector<std::string> command);

}  // namespace ifcert::conformance
