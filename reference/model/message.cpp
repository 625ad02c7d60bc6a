#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ifcert/message.hpp>
#include <utility>

#include "model/utf8.hpp"

namespace ifcert {
namespace {

// The same characters as in the report's script (report.js, UNSEEN): they are invisible, and some change how the rest
// of the text looks.
constexpr std::array<std::pair<char32_t, char32_t>, 15> unseen{{{0x00, 0x1f},
                                                                {0x7f, 0x9f},
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
                                                                {0x1bca0, 0x1bca3},
                                                                {0x1d173, 0x1d17a},
                                                                {0xe0000, 0xe007f}}};

bool is_unseen(char32_t code) {
  return std::ranges::any_of(unseen, [code](const auto& range) { return range.first <= code && code <= range.second; });
}

// Commands that the log of a CI service executes: GitHub's "::error::" and the like at the beginning of a line, its
// "##[error]" and Azure's "##vso[…]" anywhere.
bool begins_an_order(std::string_view rest, bool on_new_line) {
  return (on_new_line && rest.starts_with("::")) || rest.starts_with("##[") || rest.starts_with("##vso[");
}

std::string made_printable(std::string_view text, bool lines) {
  const std::string whole = utf8_text(text);
  std::string result;
  bool on_new_line = true;  // after nothing but blanks
  for (std::string_view rest = whole; !rest.empty();) {
    const Utf8Character character = *utf8_character(rest);
    const bool stays = lines && (character.code == '\n' || character.code == '\t');
    const bool orders = begins_an_order(rest, on_new_line);
    on_new_line = stays || (on_new_line && character.code == ' ');
    if (character.code == 0xfffe || character.code == 0xffff) {
      result += "\xEF\xBF\xBD";  // not allowed in XML either
    } else if ((is_unseen(character.code) && !stays) || orders) {
      result += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(character.code));
    } else {
      result += rest.substr(0, character.size);
    }
    rest.remove_prefix(character.size);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return made_printable(text, false);
}

std::string printable_lines(std::string_view text) {
  return made_printable(text, true);
}

}  // namespace ifcert
