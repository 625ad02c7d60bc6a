// UTF-8, byte by byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifcert {

/// The bytes of the UTF-8 character that begins the text, which is not empty; 0 where none does.
inline std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (const char next : text.substr(1, length - 1)) {
    if ((static_cast<unsigned char>(next) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

/// The text with U+FFFD for each byte that belongs to no character.
inline std::string utf8_text(std::string_view text) {
  std::string whole;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    whole += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return whole;
}

}  // namespace ifcert
