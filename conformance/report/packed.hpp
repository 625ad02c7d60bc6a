// Text for a page: compressed, in letters.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// base64 of the zlib stream of `text`: what a browser's DecompressionStream("deflate") reads. Throws Error where zlib
/// cannot.
std::string packed(std::string_view text);

}  // namespace ifcert::conformance
