#include "formats/openvino/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "place.hpp"

namespace ifcert::openvino {
namespace {

[[noreturn]] void refuse(std::size_t at, const std::string& found, const std::string& asked) {
  throw UnreadableModel({"openvino/ir/well-formed", "model", fmt::format("at byte {}: {}", at, found), asked});
}

/// Char of XML 1.0, 2.2.
bool is_legal(std::uint32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  return !surrogate && character != 0xFFFE && character != 0xFFFF && character <= 0x10FFFF;
}

/// How many bytes the character takes that begins with this one, and what the first of them gives of it.
std::optional<std::pair<std::size_t, std::uint32_t>> head_of(unsigned char first) {
  if (first < 0x80) return {{1, first}};
  if (first >= 0xC2 && first < 0xE0) return {{2, first & 0x1FU}};
  if (first >= 0xE0 && first < 0xF0) return {{3, first & 0x0FU}};
  if (first >= 0xF0 && first < 0xF5) return {{4, first & 0x07U}};
  return std::nullopt;
}

/// The character at the begin of the text and its size; nullopt where the bytes are none.
std::optional<std::pair<std::size_t, std::uint32_t>> character_of(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  auto head = head_of(static_cast<unsigned char>(text[0]));
  if (!head || head->first > text.size()) return std::nullopt;
  for (std::size_t i = 1; i < head->first; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return std::nullopt;
    head->second = head->second << 6U | (next & 0x3FU);
  }
  return head->second < least[head->first] ? std::nullopt : head;
}

/// The character that `#65` or `#x41` stands for.
std::optional<std::uint32_t> numbered(std::string_view name) {
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t number = 0;
  const char* end = std::to_address(digits.end());
  const auto [rest, error] = std::from_chars(std::to_address(digits.begin()), end, number, hexadecimal ? 16 : 10);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

bool names_something(std::string_view name) {
  if (name.starts_with('#')) return is_legal(numbered(name).value_or(0));
  return name == "amp" || name == "lt" || name == "gt" || name == "apos" || name == "quot";
}

class Content {
 public:
  explicit Content(std::string_view text) : text_(text) {}

  void check();

 private:
  bool skip(std::string_view first, std::string_view last);
  void check_tag();
  void check_words();
  void check_references(std::size_t first, std::size_t last) const;
  std::size_t find(char letter) const { return std::min(text_.find(letter, at_), text_.size()); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

void Content::check() {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  while (at_ < text_.size()) {
    if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>")) continue;
    if (text_[at_] == '<') {
      check_tag();
    } else {
      check_words();
    }
  }
}

/// Goes behind what begins and ends so; false where nothing of the kind begins here.
bool Content::skip(std::string_view first, std::string_view last) {
  if (!text_.substr(at_).starts_with(first)) return false;
  const std::size_t end = text_.find(last, at_ + first.size());
  at_ = end == std::string_view::npos ? text_.size() : end + last.size();
  return true;
}

void Content::check_tag() {
  const bool closes = text_.substr(at_).starts_with("</");
  while (at_ < text_.size() && text_[at_] != '>') {
    const char letter = text_[at_++];
    if (letter != '"' && letter != '\'') continue;
    const std::size_t last = find(letter);
    const std::size_t less = text_.find('<', at_);
    if (less < last) refuse(less, "the value of an attribute has a <", "&lt; in its place");
    check_references(at_, last);
    at_ = std::min(last + 1, text_.size());
  }
  const bool empty = text_[at_ - 1] == '/';
  if (closes && depth_ > 0) --depth_;
  if (!closes && !empty) ++depth_;
  at_ = std::min(at_ + 1, text_.size());
}

void Content::check_words() {
  const std::size_t last = find('<');
  const std::size_t word = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  if (depth_ == 0 && word < last) refuse(word, "words stand outside of the one element", "<net> alone");
  check_references(at_, last);
  at_ = last;
}

void Content::check_references(std::size_t first, std::size_t last) const {
  const std::string_view words = text_.substr(0, last);
  for (std::size_t at = words.find('&', first); at < last; at = words.find('&', at + 1)) {
    const std::size_t end = std::min(words.find(';', at), last);
    const std::string_view name = words.substr(at + 1, end - at - 1);
    if (end == last || !names_something(name)) {
      refuse(at, fmt::format("&{} refers to nothing", shortened(name, 40)), "amp, lt, gt, apos, quot or a character");
    }
  }
}

}  // namespace

void expect_legal_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = character_of(text.substr(at));
    if (!character) refuse(at, "this is not UTF-8", "XML in UTF-8");
    if (!is_legal(character->second))
      refuse(at, fmt::format("the character {:#x}", character->second), "characters that XML allows");
    at += character->first;
  }
}

void expect_legal_content(std::string_view text) {
  Content(text).check();
}

}  // namespace ifcert::openvino
