#include "conformance/drawing/shortened.hpp"

#include <ifcert/message.hpp>
#include <vector>

namespace ifcert::drawing {
namespace {

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  std::string head(text);
  if (text.size() > 16 * most) {
    std::size_t end = 8 * most;
    while (end > 0 && continues(text[end])) --end;
    std::size_t start = text.size() - 8 * most;
    while (start < text.size() && continues(text[start])) ++start;
    head = std::string(text.substr(0, end)) + std::string(text.substr(start));
  }
  std::string line = printable(head);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!continues(line[i])) starts.push_back(i);
  }
  if (starts.size() <= most) return line;
  const std::size_t front = most / 5;
  const std::size_t back = most - front - 1;
  return line.substr(0, starts[front]) + "…" + line.substr(starts[starts.size() - back]);
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) {
    if (continues(byte)) continue;
    count += static_cast<unsigned char>(byte) >= 0xE3 ? 2 : 1;  // from U+3000 on, characters may be wide
  }
  return count;
}

}  // namespace ifcert::drawing
