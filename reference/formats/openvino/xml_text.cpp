#include "formats/openvino/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <memory>
#include <optional>
#include <string>

#include "place.hpp"
#include "utf8.hpp"

namespace ifcert::openvino {
namespace {

[[noreturn]] void refuse_xml(std::size_t at, const std::string& found, const std::string& expected) {
  throw UnreadableModel({"openvino/ir/well-formed", "model", fmt::format("at byte {}: {}", at, found), expected});
}

/// The character of a reference such as `#65` or `#x41`.
std::optional<std::uint32_t> numbered(std::string_view name) {
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t number = 0;
  const char* end = std::to_address(digits.end());
  const auto [rest, error] = std::from_chars(std::to_address(digits.begin()), end, number, hexadecimal ? 16 : 10);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

bool names_something(std::string_view name) {
  if (name.starts_with('#')) return is_xml_character(numbered(name).value_or(0));
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

/// Skips a construct that begins and ends with these texts; false where none begins here.
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
    const std::size_t less = text_.substr(0, last).find('<', at_);
    if (less != std::string_view::npos) refuse_xml(less, "the value of an attribute has a <", "&lt; instead");
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
  if (depth_ == 0 && word < last) refuse_xml(word, "there is text outside of the root element", "nothing but <net>");
  check_references(at_, last);
  at_ = last;
}

void Content::check_references(std::size_t first, std::size_t last) const {
  const std::string_view words = text_.substr(0, last);
  for (std::size_t at = words.find('&', first); at < last; at = words.find('&', at + 1)) {
    const std::size_t end = std::min(words.find(';', at), last);
    const std::string_view name = words.substr(at + 1, end - at - 1);
    if (end == last || !names_something(name)) {
      refuse_xml(at, fmt::format("&{} is not defined", shortened(name, 40)), "amp, lt, gt, apos, quot or a character");
    }
  }
}

}  // namespace

bool is_xml_character(char32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  const bool is_surrogate = character >= 0xD800 && character <= 0xDFFF;
  return !is_surrogate && character != 0xFFFE && character != 0xFFFF && character <= 0x10FFFF;
}

void expect_legal_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_character(text.substr(at));
    if (!character) refuse_xml(at, "not UTF-8", "XML in UTF-8");
    if (!is_xml_character(character->code)) {
      refuse_xml(at, fmt::format("the character {:#x}", static_cast<std::uint32_t>(character->code)),
                 "characters that XML allows");
    }
    at += character->size;
  }
}

void expect_legal_content(std::string_view text) {
  Content(text).check();
}

}  // namespace ifcert::openvino
