#include "conformance/sandbox/crash_message.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ifcert::conformance {
namespace {

constexpr const char* white_space = " \t\r";

std::vector<std::string_view> filled_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find_first_not_of(white_space) != line.npos) lines.push_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t from = line.find_first_not_of(white_space);
  return from == line.npos ? "" : line.substr(from, line.find_last_not_of(white_space) + 1 - from);
}

bool has(std::string_view line, std::string_view words) {
  return line.find(words) != line.npos;
}

/// Whether a line is one with which a stack trace ends, and which does not state the fault.
bool is_of_trace(std::string_view line) {
  static constexpr std::array<std::string_view, 5> heads{"\tat ", "    at ", "\t... ", "Node.js v", "exit status "};
  return std::ranges::any_of(heads, [line](std::string_view head) { return line.starts_with(head); }) ||
         (line.starts_with("note: ") && has(line, "RUST_BACKTRACE")) || (line.starts_with('\t') && has(line, ".go:"));
}

/// "TypeError: …", "Error [ERR_REQUIRE_ESM]: …".
bool names_error(std::string_view line) {
  const std::string_view name = line.substr(0, line.find_first_of(": "));
  const std::string_view rest = line.substr(name.size());
  return name.ends_with("Error") && (rest.starts_with(": ") || rest.starts_with(" ["));
}

bool states_fault(std::string_view line) {
  static constexpr std::array<std::string_view, 4> heads{"panic: ", "fatal error: ", "Exception in thread ",
                                                         "Caused by: "};
  return std::ranges::any_of(heads, [line](std::string_view head) { return line.starts_with(head); }) ||
         has(line, " panicked at ") || names_error(line);
}

}  // namespace

std::string crash_message(std::string_view printed) {
  const std::vector<std::string_view> lines = filled_lines(printed);
  if (lines.empty()) return {};
  if (!is_of_trace(lines.back())) return std::string(trimmed(lines.back()));
  auto line = std::find_if(lines.rbegin(), lines.rend(), [](auto each) { return states_fault(trimmed(each)); });
  if (line == lines.rend()) line = std::find_if_not(lines.rbegin(), lines.rend(), is_of_trace);
  if (line == lines.rend()) line = lines.rbegin();
  std::string words(trimmed(*line));
  // Rust prints the message in the line after the place.
  if (has(words, " panicked at ") && words.ends_with(':') && line != lines.rbegin())
    words.append(" ").append(trimmed(*std::prev(line)));
  return words;
}

}  // namespace ifcert::conformance
