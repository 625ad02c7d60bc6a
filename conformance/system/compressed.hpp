// Compressed text for a page, as base64.
#pragma once

#include <string>
#include <string_view>

namespace ifcert::conformance {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// base64 of the zlib stream of `text`, for a browser's DecompressionStream("deflate"). Throws Error where zlib fails.
std::string deflate_base64(std::string_view text);

}  // namespace ifcert::conformance
