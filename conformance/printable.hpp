// Texts of models and runtimes, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// A text that any JSON, XML or terminal takes: bytes that are not UTF-8 become U+FFFD, control characters but line
/// feeds and tabs become '?'.
std::string printable(std::string_view bytes);

}  // namespace ifcert::conformance
