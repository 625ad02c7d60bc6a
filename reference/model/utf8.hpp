// UTF-8: the one decoder for names, XML and printed text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace ifcert {

struct Utf8Character {
  char32_t code;
  std::size_t size;  // in bytes
};

/// The first character of the text, which is not empty; nullopt where the bytes are not UTF-8: truncated, overlong, a
/// surrogate, or past the last character, U+10FFFF.
inline std::optional<Utf8Character> utf8_character(std::string_view text) {
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return Utf8Character{first, 1};
  const std::size_t size = first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
  if (size == 0 || size > text.size()) return std::nullopt;
  char32_t code = first & (0x7FU >> size);
  for (const char next : text.substr(1, size - 1)) {
    const auto byte = static_cast<unsigned char>(next);
    if ((byte & 0xC0U) != 0x80U) return std::nullopt;
    code = code << 6U | (byte & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[size] || is_surrogate || code > 0x10FFFF) return std::nullopt;
  return Utf8Character{code, size};
}

/// A length of which the text's first bytes are ASCII: all of an ASCII text of at least eight bytes, else whole groups
/// of eight.
inline std::size_t ascii_prefix(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t eight = 0;
  const auto is_ascii = [&](std::size_t at) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    return (eight & high_bits) == 0;
  };
  std::size_t at = 0;
  for (; at + sizeof eight <= text.size(); at += sizeof eight) {
    if (!is_ascii(at)) return at;
  }
  // The last group overlaps the one before it.
  return at > 0 && is_ascii(text.size() - sizeof eight) ? text.size() : at;
}

/// The length of the longest prefix that is UTF-8.
inline std::size_t utf8_prefix(std::string_view text) {
  std::size_t at = ascii_prefix(text);
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const auto character = utf8_character(text.substr(at));
    if (!character) break;
    at += character->size;
  }
  return at;
}

inline bool is_utf8(std::string_view text) {
  return utf8_prefix(text) == text.size();
}

/// The text with U+FFFD for each byte that is not part of a character.
inline std::string utf8_text(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  while (true) {
    const std::size_t good = utf8_prefix(text);
    whole += text.substr(0, good);
    if (good == text.size()) return whole;
    whole += "\xEF\xBF\xBD";
    text.remove_prefix(good + 1);
  }
}

}  // namespace ifcert
