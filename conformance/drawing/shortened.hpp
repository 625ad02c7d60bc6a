// Texts of a model, shortened to the space that a picture has for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifcert::drawing {

/// Printable, on one line, of at most `most` characters: of a longer text its beginning and its end, mostly the end.
std::string shortened(std::string_view text, std::size_t most);

/// The number of columns of a text in a monospaced font.
std::size_t columns(std::string_view text);

}  // namespace ifcert::drawing
