#include "conformance/reproduce/filled.hpp"

#include <algorithm>
#include <ranges>
#include <sstream>

namespace ifcert::conformance {
namespace {

using Values = std::map<std::string, std::string>;

std::string indented(const std::string& text, std::size_t spaces) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    all += line.empty() ? "\n" : std::string(spaces, ' ').append(line).append("\n");
  return all;
}

std::string filled_line(std::string_view line, const Values& values) {
  const auto longest_first = values | std::views::reverse;  // of those that begin alike
  std::string text;
  while (!line.empty()) {
    const auto word =
        std::ranges::find_if(longest_first, [&](const auto& each) { return line.starts_with(each.first); });
    const bool is_word = word != longest_first.end();
    text += is_word ? word->second : std::string(1, line.front());
    line.remove_prefix(is_word ? word->first.size() : 1);
  }
  return text;
}

}  // namespace

std::string filled(std::string_view text, const Values& values) {
  std::istringstream lines{std::string(text)};
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    const auto word = values.find(line.substr(spaces));
    all += word == values.end() ? filled_line(line, values) + "\n" : indented(word->second, spaces);
  }
  return all;
}

}  // namespace ifcert::conformance
