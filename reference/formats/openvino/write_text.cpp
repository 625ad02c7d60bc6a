#include "formats/openvino/write_text.hpp"

#include <ifcert/inexpressible.hpp>

namespace ifcert::openvino {
namespace {

/// The bytes of the UTF-8 character that begins the text; 0 where none does.
std::size_t character(std::string_view text) {
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

/// XML 1.0 has no control characters but tabs and the ends of lines.
bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 && letter != '\t' && letter != '\n' && letter != '\r';
}

}  // namespace

std::string xml_text(const std::string& text, const Place& place) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = is_control(text[at]) ? 0 : character(std::string_view(text).substr(at));
    if (length == 0) {
      throw Inexpressible(to_string(place), fmt::format("XML cannot hold the byte {:#04x} at {} of a text",
                                                        static_cast<unsigned char>(text[at]), at));
    }
    at += length;
  }
  return text;
}

std::string in_list(std::string_view name) {
  std::string text;
  for (const char letter : name) text += letter == ',' ? std::string("\\,") : std::string(1, letter);
  return text;
}

std::string UniqueNames::make(const std::string& name) {
  if (claim(name)) return name;
  std::size_t& number = numbers_[name];
  while (true) {
    std::string made = fmt::format("{}_{}", name, ++number);
    if (claim(made)) return made;
  }
}

}  // namespace ifcert::openvino
