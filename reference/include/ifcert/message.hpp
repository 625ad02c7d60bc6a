// Untrusted text made safe to print: names in a model, a runtime's messages, file names.
#pragma once

#include <string>
#include <string_view>

namespace ifcert {

/// The text on one line. Control characters (with line feeds and tabs), direction marks, line separators and zero-width
/// characters are written as "<U+001B>". Bytes that are not UTF-8 become U+FFFD. Idempotent.
std::string printable(std::string_view text);

/// The same for a text of several lines: line feeds and tabs are kept.
std::string printable_lines(std::string_view text);

}  // namespace ifcert
