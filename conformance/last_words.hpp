#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The last line that an ended process printed and that is not empty; an empty string where there is none. Below a
/// trace of Node, Java, Go or Rust it is the line that states the fault.
std::string last_words(std::string_view printed);

}  // namespace ifcert::conformance
