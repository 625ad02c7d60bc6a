// One element of a tensor's bytes: its width, and its text for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The number of bits of one element; nothing for `string` and for a word that is not an element type.
std::optional<unsigned> element_bits(std::string_view type);

/// The element at `index` of little-endian bytes, packed as described in docs/protocol.md: "1.5", "-0", "nan
/// (0x7fc00001)", "true", "(1, -2)" for a complex number. The bytes must hold it and the type must have `element_bits`.
std::string element_text(std::string_view type, std::string_view bytes, std::uint64_t index);

}  // namespace ifcert::conformance
