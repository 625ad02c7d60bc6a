#include "conformance/suite/kept_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

/// A longer value is kept as people read it.
constexpr std::size_t max_value = std::size_t{4} << 10U;
constexpr std::size_t max_value_text = 1000;
/// How many outputs, runs or dimensions are kept.
constexpr std::size_t max_items = 64;
/// How much of a reason is kept where the other words are dropped.
constexpr std::size_t short_reason = 300;

std::size_t bytes_of(const json& document) {
  return document.dump(-1, ' ', true).size();
}

/// A value that no protocol could represent, which says why it is here.
json note(std::string text) {
  return {{"kind", "other"}, {"is", std::move(text)}};
}

/// The first items of a list, each as `keep` returns it, and `rest` for the number of the others.
json kept_items(const json& list, const auto& keep, const auto& rest) {
  json kept = json::array();
  for (std::size_t i = 0; i < std::min(list.size(), max_items); ++i) kept.push_back(keep(list[i]));
  if (list.size() > max_items) kept.push_back(rest(list.size() - max_items));
  return kept;
}

json kept_output(const json& output) {
  const json& value = output.at("value");
  const std::size_t bytes = bytes_of(value);
  if (bytes <= max_value) return output;
  return {{"name", output.at("name")},
          {"value", note(fmt::format("{} ({} bytes, not kept)", cut_word(readable(value), max_value_text), bytes))}};
}

json kept_outputs(const json& outputs) {
  return kept_items(outputs, kept_output, [](std::size_t left) {
    return json{{"name", ""}, {"value", note(fmt::format("and {} more outputs, which are not kept", left))}};
  });
}

json kept_port(json port) {
  if (!port.at("shape").is_array()) return port;
  port["shape"] = kept_items(
      port.at("shape"), [](const json& dimension) { return dimension; },
      [](std::size_t left) { return fmt::format("and {} more dimensions", left); });
  return port;
}

json kept_ports(const json& ports) {
  return kept_items(ports, kept_port, [](std::size_t left) {
    return json{
        {"name", fmt::format("and {} more outputs, which are not kept", left)}, {"type", nullptr}, {"shape", nullptr}};
  });
}

}  // namespace

json kept_answer(const json& answer) {
  json kept = answer;
  if (answer.contains("outputs")) kept["outputs"] = kept_outputs(answer.at("outputs"));
  if (answer.contains("loaded")) kept["loaded"]["outputs"] = kept_ports(answer.at("loaded").at("outputs"));
  if (answer.contains("runs")) {
    kept["runs"] = kept_items(answer.at("runs"), kept_answer, [](std::size_t left) {
      return json{{"outputs", {{{"name", ""}, {"value", note(fmt::format("and {} more runs", left))}}}}};
    });
  }
  return kept;
}

std::size_t words_in(const Result& result) {
  std::size_t bytes = result.got.is_null() ? 0 : bytes_of(result.got);
  for (const std::string* text : {&result.reason, &result.evidence, &result.link}) {
    if (!text->empty()) bytes += bytes_of(*text);
  }
  return bytes;
}

std::size_t keep_within(Result& result, std::size_t most) {
  const std::size_t bytes = words_in(result);
  const bool is_short =
      result.got.is_null() && result.evidence.empty() && result.link.empty() && result.reason.size() <= short_reason;
  if (bytes <= most || is_short) return bytes;
  result.got = nullptr;
  result.evidence.clear();
  result.link.clear();
  if (result.verdict != Verdict::pass)
    result.reason =
        fmt::format("{} (not all that it said is kept: {} bytes)", cut_word(result.reason, short_reason), bytes);
  return words_in(result);
}

}  // namespace ifcert::conformance
