// What a person is shown of texts that anybody may have written: names in a model, a runtime's messages, file names.
#pragma once

#include <string>
#include <string_view>

namespace ifcert {

/// The text on one line. What a terminal obeys, what turns the writing direction and what shows nothing stands as
/// "<U+001B>": control characters (line feeds and tabs among them), marks of direction, separators of lines, characters
/// without width. Bytes that are not UTF-8 become U+FFFD. Of what it gave already it changes nothing.
std::string printable(std::string_view text);

/// The same of a text that may have several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace ifcert
