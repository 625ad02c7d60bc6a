#include "conformance/system/one_line.hpp"

#include <ifcert/message.hpp>

namespace ifcert::conformance {
namespace {

bool continues(char letter) {
  return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

}  // namespace

std::string one_line(std::string_view bytes, std::size_t limit) {
  std::string line = printable_lines(bytes.substr(0, 4 * limit));
  for (char& letter : line) {
    if (letter == '\n' || letter == '\t') letter = ' ';
  }
  if (line.size() <= limit) return line;
  while (limit > 0 && continues(line[limit])) --limit;
  return line.substr(0, limit) + "…";
}

}  // namespace ifcert::conformance
