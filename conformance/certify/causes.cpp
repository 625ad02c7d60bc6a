#include "conformance/certify/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "conformance/sandbox/crash_message.hpp"
#include "conformance/suite/element.hpp"

namespace ifcert::conformance {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool is_part_of_name(char letter) {
  return is_digit(letter) || letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool is_element_type(std::string_view name) {
  std::string small(name);
  std::ranges::transform(small, small.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return element_bits(small).has_value();
}

/// "f16", "i64", "bf16": OpenVINO's names.
bool is_short_type(std::string_view name) {
  const std::size_t digits = name.find_first_of("0123456789");
  const auto is_one_of = [](std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
  };
  static constexpr std::array<std::string_view, 4> heads{"f", "i", "u", "bf"};
  static constexpr std::array<std::string_view, 6> bits{"2", "4", "8", "16", "32", "64"};
  return is_one_of(name.substr(0, digits), heads) && is_one_of(name.substr(digits), bits);
}

/// "Add_12" → "Add_#", "0x7f31" → "#"; "float16" is unchanged.
std::string masked_name(std::string_view name) {
  const auto digit = std::ranges::find_if(name, is_digit);
  if (digit == name.end() || is_element_type(name) || is_short_type(name)) return std::string(name);
  const std::string_view head(name.begin(), digit);
  const bool is_numbered = std::ranges::all_of(digit, name.end(), is_digit);
  return (is_numbered ? std::string(head) : "") + "#";
}

std::string masked_word(const std::string& word) {
  if (word.find_first_of("'\"/") != std::string::npos) return "#";
  std::string masked;
  for (auto at = word.begin(); at != word.end();) {
    const auto end = std::find_if_not(at, word.end(), is_part_of_name);
    masked += end == at ? std::string(1, *at++) : masked_name({at, end});
    at = std::max(at, end);
  }
  return masked;
}

/// The text with each list of '#' shortened to one '#': "[#, #, #]" becomes "[#]".
std::string with_short_rows(const std::string& text) {
  std::string shortened;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#' && shortened.ends_with('#')) continue;
    const std::size_t next = text.find_first_not_of(", ", at);
    const bool is_between = next != at && next != std::string::npos && text[next] == '#' && shortened.ends_with('#');
    if (is_between)
      at = next;
    else
      shortened += text[at];
  }
  return shortened;
}

/// "output y: the shape is …" with '#' in place of the name, which differs from vector to vector.
std::string without_output_name(std::string reason) {
  constexpr std::string_view before = "output ";
  const std::size_t name = reason.find(before);
  const std::size_t end = name == std::string::npos ? name : reason.find(": ", name);
  if (end == std::string::npos) return reason;
  return reason.replace(name + before.size(), end - name - before.size(), "#");
}

/// Our message and the runtime's. For a wrong value only the text before the output's name: the rest differs from
/// vector to vector.
std::string words_of(const Result& result) {
  const bool is_value = result.fault == Fault::wrong_value;
  const std::string reason =
      is_value ? result.reason.substr(0, result.reason.find("output ")) : without_output_name(result.reason);
  return fmt::format("{} {}", reason, refusal_message(result));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      lines.push_back(line.substr(line.find_first_not_of(" \t")));
  }
  return lines;
}

/// "RuntimeError: Exception from src/core/src/node.cpp:593:", with nothing after it.
bool is_place_of_throw(const std::string& line) {
  const std::size_t at = line.find("Exception from ");
  return at != std::string::npos &&
         line.find(' ', at + std::string_view("Exception from ").size()) == std::string::npos;
}

std::string message_in(const nlohmann::json& got) {
  if (!got.is_object()) return {};
  for (const char* answer : {"refused", "unsupported", "adapter_error"}) {
    const auto found = got.find(answer);
    if (found != got.end() && found->is_object()) return found->value("message", "");
  }
  return {};
}

bool died(const Result& result) {
  const Verdict verdict = failed_as(result);
  return verdict == Verdict::crash || verdict == Verdict::timeout || verdict == Verdict::memory;
}

}  // namespace

std::string to_string(CauseKind kind) {
  static const std::map<CauseKind, std::string> words{
      {CauseKind::wrong_values, "wrong values"}, {CauseKind::crashes_and_hangs, "crashes and hangs"},
      {CauseKind::unstable, "unstable"},         {CauseKind::wrongly_accepted, "wrongly accepted"},
      {CauseKind::lenient, "lenient"},           {CauseKind::refused, "refused"},
      {CauseKind::not_if, "not the If"},         {CauseKind::unsupported, "unsupported"},
      {CauseKind::not_shown, "not shown"},       {CauseKind::not_judged, "not judged"}};
  return words.at(kind);
}

CauseKind cause_kind(const Result& result) {
  switch (result.verdict) {
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::memory:
      return CauseKind::crashes_and_hangs;
    case Verdict::lenient:
      return CauseKind::lenient;
    case Verdict::not_if:
      return CauseKind::not_if;
    case Verdict::unsupported:
      return CauseKind::unsupported;
    case Verdict::not_shown:
      return CauseKind::not_shown;
    case Verdict::fail:
      break;
    default:
      return CauseKind::not_judged;
  }
  if (result.fault == Fault::wrongly_refused) return CauseKind::refused;
  if (result.fault == Fault::wrongly_accepted) return CauseKind::wrongly_accepted;
  return result.fault == Fault::unstable ? CauseKind::unstable : CauseKind::wrong_values;
}

std::string cause_of(const Result& result) {
  std::string masked;
  std::istringstream words(words_of(result));
  for (std::string word; words >> word;) masked += " " + masked_word(word);
  return fmt::format("{} {}{}", verdict_line(result), result.phase, with_short_rows(masked));
}

bool fail_alike(const Result& one, const Result& other) {
  return cause_of(one) == cause_of(other);
}

std::string own_line(const Result& result) {
  if (died(result)) return crash_message(result.evidence);
  const std::vector<std::string> lines = lines_of(message_in(result.got));
  const auto telling = std::ranges::find_if_not(lines, is_place_of_throw);
  if (telling != lines.end()) return *telling;
  return lines.empty() ? "" : lines.front();
}

std::vector<Cause> causes_of(const Certification& certification) {
  std::map<std::string_view, Axis> axes;
  for (const VectorSummary& vector : certification.vectors) axes.emplace(vector.id, vector.axis);
  std::map<std::pair<std::string_view, std::string>, std::size_t> indices;
  std::vector<Cause> causes;
  for (const Result& result : certification.results) {
    if (result.verdict == Verdict::pass) continue;
    const auto [entry, is_new] =
        indices.emplace(std::pair(std::string_view(result.adapter), cause_of(result)), causes.size());
    if (is_new) causes.push_back({.adapter = result.adapter, .kind = cause_kind(result), .results = {}, .axes = {}});
    Cause& cause = causes[entry->second];
    cause.results.push_back(&result);
    if (const auto axis = axes.find(result.vector); axis != axes.end()) ++cause.axes[axis->second];
    if (result.known) ++cause.known;
  }
  std::ranges::stable_sort(causes, [](const Cause& one, const Cause& other) {
    return one.kind != other.kind ? one.kind < other.kind : one.results.size() > other.results.size();
  });
  return causes;
}

}  // namespace ifcert::conformance
