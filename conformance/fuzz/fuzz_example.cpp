#include "conformance/fuzz/fuzz_example.hpp"

#include <algorithm>
#include <sstream>

#include "conformance/certify/causes.hpp"
#include "conformance/results/result_json.hpp"
#include "conformance/suite/protocol_form.hpp"
#include "conformance/suite/protocol_value.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

/// The first sentence, if the next one follows it without a space: after the cause, LiteRT names the nodes around it.
std::string first_sentence(std::string line) {
  for (std::size_t at = line.find('.'); at != std::string::npos; at = line.find('.', at + 1)) {
    if (at + 1 < line.size() && line[at + 1] >= 'A' && line[at + 1] <= 'Z') return line.substr(0, at + 1);
  }
  return line;
}

/// The innermost part of a message, which names the cause. The parts before it name the nodes around the cause, one
/// after the other: "If: Loop: the input has no type" → "the input has no type".
std::string innermost(const std::string& message) {
  std::string line = first_sentence(last_line(message));
  const std::size_t end = line.find_last_not_of(" .:");
  const std::size_t colon = end == std::string::npos ? end : line.rfind(": ", end);
  return colon == std::string::npos ? line : line.substr(colon + 2);
}

/// The message with '#' for each word that contains a digit: every name in a generated model has a number.
std::string without_names(const std::string& message) {
  std::istringstream words(message);
  std::string kept;
  for (std::string word; words >> word;)
    kept += word.find_first_of("0123456789") == std::string::npos ? word + " " : "# ";
  return kept;
}

/// Whether the failure is about a value. Values differ from model to model, but messages and signals do not.
bool is_of_values(Fault fault) {
  return fault == Fault::wrong_value || fault == Fault::wrong_shape || fault == Fault::wrong_type ||
         fault == Fault::wrong_name;
}

ordered_json json_of(const Shown& shown) {
  ordered_json files = ordered_json::object();
  for (const auto& [name, bytes] : shown.files.bytes) files[name.string()] = encode_base64(bytes);
  return {{"model", shown.files.model},
          {"origin", shown.files.origin.string()},
          {"files", std::move(files)},
          {"steps", shown.steps},
          {"result", json_of(shown.result)}};
}

Shown shown_from(const json& line) {
  Shown shown{.files = {.model = line.at("model").get<std::string>()}, .steps = line.at("steps"), .result = {}};
  shown.files.origin = line.at("origin").get<std::string>();
  for (const auto& [name, bytes] : line.at("files").items())
    shown.files.bytes[name] = decode_base64(bytes.get_ref<const std::string&>()).value_or("");
  shown.files.folder = opaque_name(shown.files);
  shown.result = result_from(line.at("result"));
  return shown;
}

/// Which of several concurrent runs failed says nothing about the cause.
std::string without_number_of_run(const std::string& reason) {
  const std::size_t end = reason.find(": ");
  return reason.starts_with("concurrent run ") && end != std::string::npos ? reason.substr(end + 2) : reason;
}

}  // namespace

bool is_finding(const Result& result) {
  return is_failure(result.verdict) && !is_inconclusive(result.verdict);
}

std::string cause_of_failure(const Result& result) {
  Result explained = result;
  explained.reason = without_number_of_run(result.reason);
  if (result.verdict == Verdict::crash) explained.reason += " " + without_names(last_line(result.evidence));
  if (is_of_values(result.fault)) explained.reason.clear();
  if (const std::string message = refusal_message(result); !message.empty())
    explained.got = {{"refused", {{"message", without_names(innermost(message))}}}};
  return cause_of(explained);
}

bool shows_the_same(const Result& one, const Result& other) {
  if (one.verdict != other.verdict || one.fault != other.fault) return false;
  return is_of_values(one.fault) || cause_of_failure(one) == cause_of_failure(other);
}

ordered_json json_of(const FuzzFailure& failure) {
  return {{"seed", failure.seed},
          {"format", failure.format},
          {"kind", failure.kind},
          {"verdict", failure.verdict},
          {"cause", failure.cause}};
}

FuzzFailure failure_from(const json& line) {
  return {line.at("seed").get<std::uint64_t>(), line.at("format").get<std::string>(),
          line.at("kind").get<std::string>(), line.at("verdict").get<std::string>(),
          line.at("cause").get<std::string>()};
}

ordered_json json_of(const FuzzExample& example) {
  ordered_json line{{"failure", json_of(example.failure)},
                    {"unstable", example.unstable},
                    {"original", json_of(example.original)},
                    {"form", example.form},
                    {"nodes", example.nodes},
                    {"tries", example.tries},
                    {"complete", example.complete}};
  if (example.small) line["small"] = json_of(*example.small);
  return line;
}

FuzzExample example_from(const json& line) {
  FuzzExample example{.failure = failure_from(line.at("failure")),
                      .unstable = line.at("unstable").get<std::string>(),
                      .original = shown_from(line.at("original")),
                      .small = std::nullopt,
                      .form = line.at("form").get<std::string>()};
  line.at("nodes").get_to(example.nodes);
  line.at("tries").get_to(example.tries);
  line.at("complete").get_to(example.complete);
  if (line.contains("small")) example.small = shown_from(line.at("small"));
  return example;
}

}  // namespace ifcert::conformance
