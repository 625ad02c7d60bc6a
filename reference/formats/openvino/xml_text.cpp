#include "formats/openvino/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <memory>
#include <optional>
#include <string>

#include "model/place.hpp"
#include "model/utf8.hpp"

namespace ifcert::openvino {
namespace {

[[noreturn]] void refuse_xml(std::size_t at, const std::string& found, const std::string& expected) {
  throw UnreadableModel({"openvino/ir/well-formed", "model", fmt::format("at byte {}: {}", at, found), expected});
}

constexpr std::string_view white_space = " \t\r\n";

std::string_view without_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(white_space), text.size()));
}

bool is_xml_in_any_letters(std::string_view name) {
  return name.size() == 3 && (name[0] | 0x20) == 'x' && (name[1] | 0x20) == 'm' && (name[2] | 0x20) == 'l';
}

/// Removes `name="value"` with white space before it from the beginning of the text, and returns the value; nullopt
/// where the text does not begin so.
std::optional<std::string_view> taken_value(std::string_view& text, std::string_view name) {
  const std::string_view named = without_space(text);
  if (named.size() == text.size() || !named.starts_with(name)) return std::nullopt;
  const std::string_view equals = without_space(named.substr(name.size()));
  if (!equals.starts_with('=')) return std::nullopt;
  const std::string_view quoted = without_space(equals.substr(1));
  if (!quoted.starts_with('"') && !quoted.starts_with('\'')) return std::nullopt;
  const std::size_t end = quoted.find(quoted.front(), 1);
  if (end == std::string_view::npos) return std::nullopt;
  text = quoted.substr(end + 1);
  return quoted.substr(1, end - 1);
}

/// Whether this is an XML declaration from after "<?xml" to before "?>" (XML 1.0, 2.8, [23]).
bool is_declaration(std::string_view text) {
  const auto version = taken_value(text, "version");
  if (!version || !version->starts_with("1.")) return false;
  taken_value(text, "encoding");
  const auto standalone = taken_value(text, "standalone");
  if (standalone && *standalone != "yes" && *standalone != "no") return false;
  return without_space(text).empty();
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
  std::optional<std::string_view> skip(std::string_view first, std::string_view last);
  bool check_comment();
  bool check_instruction();
  void check_tag();
  void check_words();
  void check_references(std::size_t first, std::size_t last) const;
  std::size_t find(char letter) const { return std::min(text_.find(letter, at_), text_.size()); }

  std::string_view text_;
  std::size_t start_ = 0;  // after the byte order mark
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

void Content::check() {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) start_ = at_ = byte_order_mark.size();
  while (at_ < text_.size()) {
    if (check_comment() || skip("<![CDATA[", "]]>") || check_instruction()) continue;
    if (text_[at_] == '<') {
      check_tag();
    } else {
      check_words();
    }
  }
}

/// Skips a construct that begins and ends with these texts, and returns what is between them; nullopt where none begins
/// here.
std::optional<std::string_view> Content::skip(std::string_view first, std::string_view last) {
  if (!text_.substr(at_).starts_with(first)) return std::nullopt;
  const std::size_t begin = at_ + first.size();
  const std::size_t end = std::min(text_.find(last, begin), text_.size());
  at_ = std::min(end + last.size(), text_.size());
  return text_.substr(begin, end - begin);
}

/// Sentences: xml-double-hyphen, xml-comment-end.
bool Content::check_comment() {
  const std::size_t start = at_;
  const auto comment = skip("<!--", "-->");
  if (comment && (comment->find("--") != std::string_view::npos || comment->ends_with('-')))
    refuse_xml(start, "a comment contains -- or ends in --->", "comments without two hyphens in a row");
  return comment.has_value();
}

/// An instruction named xml is the XML declaration, with which the document begins (XML 1.0, 2.6 [17], 2.8 [22]).
bool Content::check_instruction() {
  const std::size_t start = at_;
  const auto instruction = skip("<?", "?>");
  if (!instruction) return false;
  const std::string_view target = instruction->substr(0, instruction->find_first_of(white_space));
  if (!is_xml_in_any_letters(target)) return true;
  if (start != start_ || target != "xml") refuse_xml(start, "an XML declaration", "one only, at the very beginning");
  if (!is_declaration(instruction->substr(target.size())))
    refuse_xml(start, "an XML declaration in another form", "version, then encoding and standalone, if any, in quotes");
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
  const std::size_t word = std::min(text_.find_first_not_of(white_space, at_), text_.size());
  if (depth_ == 0 && word < last) refuse_xml(word, "there is text outside of the root element", "nothing but <net>");
  const std::size_t cdata_end = text_.substr(0, last).find("]]>", at_);
  if (cdata_end != std::string_view::npos) refuse_xml(cdata_end, "]]> where no CDATA section ends", "]]&gt; instead");
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

// Rule: openvino/ir/well-formed.
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

// Rule: openvino/ir/well-formed.
void expect_legal_content(std::string_view text) {
  Content(text).check();
}

}  // namespace ifcert::openvino
