#include "formats/openvino/write_text.hpp"

#include <ifcert/inexpressible.hpp>

#include "formats/openvino/xml_text.hpp"
#include "model/utf8.hpp"

namespace ifcert::openvino {
std::string xml_text(const std::string& text, const Place& place) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_character(std::string_view(text).substr(at));
    if (!character) {
      throw Inexpressible(to_string(place), fmt::format("XML cannot hold the byte {:#04x} at {} of a text",
                                                        static_cast<unsigned char>(text[at]), at));
    }
    if (!is_xml_character(character->code)) {
      throw Inexpressible(to_string(place), fmt::format("XML cannot hold the character U+{:04X} at {} of a text",
                                                        static_cast<std::uint32_t>(character->code), at));
    }
    at += character->size;
  }
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
