#include "conformance/printable.hpp"

#include "reference/utf8.hpp"

namespace ifcert::conformance {

std::string printable(std::string_view bytes) {
  std::string text = utf8_text(bytes);
  for (char& character : text) {
    const auto code = static_cast<unsigned char>(character);
    if ((code < 0x20 && character != '\n' && character != '\t') || code == 0x7f) character = '?';
  }
  return text;
}

}  // namespace ifcert::conformance
