#include "formats/openvino/write_text.hpp"

#include <ifcert/inexpressible.hpp>

#include "utf8.hpp"

namespace ifcert::openvino {
namespace {

/// XML 1.0 has no control characters but tabs and the ends of lines.
bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 && letter != '\t' && letter != '\n' && letter != '\r';
}

}  // namespace

std::string xml_text(const std::string& text, const Place& place) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = is_control(text[at]) ? 0 : utf8_length(std::string_view(text).substr(at));
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
