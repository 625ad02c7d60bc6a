#include "conformance/printable.hpp"

#include <nlohmann/json.hpp>

namespace ifcert::conformance {

std::string printable(std::string_view bytes) {
  const std::string quoted = nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  auto text = nlohmann::json::parse(quoted).get<std::string>();
  for (char& character : text) {
    const auto code = static_cast<unsigned char>(character);
    if ((code < 0x20 && character != '\n' && character != '\t') || code == 0x7f) character = '?';
  }
  return text;
}

}  // namespace ifcert::conformance
