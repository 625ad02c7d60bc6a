#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// What a process that ended said last, in one line: the last one that is not empty; nothing where there is none. Below
/// a trace of Node, Java, Go or Rust it is the line that states the fault.
std::string last_words(std::string_view printed);

}  // namespace ifcert::conformance
