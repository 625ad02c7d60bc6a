// The line of an ended process's output that best explains why the process ended.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The last line that is not empty, or, where the output ends with a stack trace of Node, Java, Go or Rust, the line
/// that states the fault. Empty if nothing was printed.
std::string crash_message(std::string_view printed);

}  // namespace ifcert::conformance
