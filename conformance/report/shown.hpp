// Words of models and runtimes, for people: whatever they hold, they stay words.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// `printable`, and characters that turn the writing direction or show nothing stand as "<U+202E>": with them one text
/// could pose as another.
std::string shown(std::string_view bytes);

/// The same in one line, at most `limit` bytes of it and then "…"; cut between characters.
std::string shown_line(std::string_view bytes, std::size_t limit);

}  // namespace ifcert::conformance
