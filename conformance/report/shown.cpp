#include "conformance/report/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "conformance/file.hpp"
#include "reference/utf8.hpp"

namespace ifcert::conformance {
namespace {

// As the page's script has them (report.js, UNSEEN).
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 12> unseen{{{0x80, 0x9f},
                                                                          {0xad, 0xad},
                                                                          {0x61c, 0x61c},
                                                                          {0x115f, 0x1160},
                                                                          {0x180e, 0x180e},
                                                                          {0x200b, 0x200f},
                                                                          {0x2028, 0x202e},
                                                                          {0x2060, 0x206f},
                                                                          {0x3164, 0x3164},
                                                                          {0xfeff, 0xfeff},
                                                                          {0xfff9, 0xfffb},
                                                                          {0xe0000, 0xe007f}}};

bool is_unseen(char32_t code) {
  return std::ranges::any_of(unseen, [code](const auto& range) { return range.first <= code && code <= range.second; });
}

bool continues(char letter) {
  return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

// What stands for a character that is not shown as it is; nothing for one that is.
std::string name_of(char32_t code) {
  if (code == 0xfffe || code == 0xffff)
    return "\xEF\xBF\xBD";  // not in XML either: U+FFFD, as for bytes that are no UTF-8
  return is_unseen(code) ? fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(code)) : "";
}

}  // namespace

std::string shown(std::string_view bytes) {
  const std::string text = printable(bytes);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = *utf8_character(std::string_view(text).substr(at));  // printable() gives UTF-8
    const std::string name = name_of(character.code);
    result += name.empty() ? text.substr(at, character.size) : name;
    at += character.size;
  }
  return result;
}

std::string shown_line(std::string_view bytes, std::size_t limit) {
  std::string line = shown(bytes.substr(0, 4 * limit));
  for (char& letter : line) {
    if (letter == '\n' || letter == '\t') letter = ' ';
  }
  if (line.size() <= limit) return line;
  while (limit > 0 && continues(line[limit])) --limit;
  return line.substr(0, limit) + "…";
}

}  // namespace ifcert::conformance
