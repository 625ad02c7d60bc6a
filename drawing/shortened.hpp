// Texts of a model in the space that a picture has for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// Printable, on one line, of at most `most` characters: of a longer text both ends, mostly the end.
std::string shortened(std::string_view text, std::size_t most);

/// How many columns a text takes in a font of equal widths.
std::size_t columns(std::string_view text);

}  // namespace ifcert::conformance
