#include "conformance/results/result_json.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json json_of(const AdapterIdentity& adapter) {
  ordered_json line{{"name", adapter.name},
                    {"runtime", adapter.runtime},
                    {"version", adapter.version},
                    {"language", adapter.language},
                    {"home", adapter.home},
                    {"systems", adapter.systems},
                    {"digest", adapter.digest},
                    {"called", adapter.folder},
                    {"computes", adapter.runs_models},
                    {"cannot", adapter.unsupported_features}};
  if (!adapter.files.empty()) line["files"] = adapter.files;
  return line;
}

ordered_json json_of(const SiblingResult& result) {
  ordered_json sibling{{"outcome", to_string(result.outcome)}};
  if (!result.detail.empty()) sibling["detail"] = result.detail;
  return sibling;
}

ordered_json json_of(const RewritingResult& result) {
  ordered_json rewriting{{"name", result.name}, {"verdict", to_string(result.verdict)}};
  const auto add = [&rewriting](const char* name, const std::string& text) {
    if (!text.empty()) rewriting[name] = text;
  };
  add("fault", to_string(result.fault));
  add("reason", result.reason);
  add("message", result.message);
  add("link", result.link);
  if (result.known) rewriting["known"] = true;
  return rewriting;
}

namespace {

std::vector<RewritingResult> rewritings_from(const json& line) {
  std::vector<RewritingResult> results;
  for (const json& each : line.value("rewritings", json::array())) {
    results.push_back({.name = each.at("name"),
                       .verdict = verdict_from(each.at("verdict").get<std::string>()),
                       .fault = fault_from(each.value("fault", "")),
                       .reason = each.value("reason", ""),
                       .message = each.value("message", ""),
                       .link = each.value("link", ""),
                       .known = each.value("known", false)});
  }
  return results;
}

std::optional<SiblingResult> sibling_from(const json& line, const char* name) {
  const auto found = line.find(name);
  if (found == line.end()) return std::nullopt;
  return SiblingResult{sibling_outcome_from(found->at("outcome").get<std::string>()), found->value("detail", "")};
}

}  // namespace

ordered_json json_of(const Result& result) {
  ordered_json line{{"adapter", result.adapter},
                    {"vector", result.vector},
                    {"rule", result.rule},
                    {"verdict", to_string(result.verdict)}};
  const auto add = [&line](const char* name, const std::string& text) {
    if (!text.empty()) line[name] = text;
  };
  if (result.failed_as) line["was"] = to_string(*result.failed_as);
  add("fault", to_string(result.fault));
  add("reason", result.reason);
  if (result.step) line["step"] = *result.step;
  add("phase", result.phase);
  if (!result.expected.is_null()) line["expected"] = result.expected;
  if (!result.got.is_null()) line["got"] = result.got;
  add("evidence", result.evidence);
  if (result.signal) line["signal"] = *result.signal;
  add("link", result.link);
  add("confirmed_by", result.confirmed_by);
  if (result.without_ifs) line["without_ifs"] = json_of(*result.without_ifs);
  if (result.rewritten) line["rewritten"] = json_of(*result.rewritten);
  for (const RewritingResult& rewriting : result.rewritings) line["rewritings"].push_back(json_of(rewriting));
  if (result.known) line["known"] = true;
  line["milliseconds"] = result.milliseconds;
  if (result.runtime_milliseconds) line["runtime_milliseconds"] = *result.runtime_milliseconds;
  add("vector_digest", result.vector_digest);
  return line;
}

ordered_json json_of(const WallTime& wall_time) {
  ordered_json line{{"seconds", wall_time.seconds}, {"confirming_seconds", wall_time.retry_seconds}};
  if (wall_time.sibling_seconds > 0) line["sibling_seconds"] = wall_time.sibling_seconds;
  if (wall_time.rewriting_seconds > 0) line["rewriting_seconds"] = wall_time.rewriting_seconds;
  return line;
}

ordered_json json_of(const KeptCount& kept) {
  return {{"results", kept.results}, {"since", kept.since}};
}

WallTime wall_time_from(const json& line) {
  return {line.at("seconds").get<double>(), line.at("confirming_seconds").get<double>(),
          line.value("sibling_seconds", 0.0), line.value("rewriting_seconds", 0.0)};
}

AdapterIdentity adapter_from(const json& line) {
  AdapterIdentity identity;
  line.at("name").get_to(identity.name);
  line.at("runtime").get_to(identity.runtime);
  line.at("version").get_to(identity.version);
  line.at("language").get_to(identity.language);
  line.at("home").get_to(identity.home);
  line.at("systems").get_to(identity.systems);
  line.at("digest").get_to(identity.digest);
  line.at("called").get_to(identity.folder);
  line.at("computes").get_to(identity.runs_models);
  identity.unsupported_features = line.at("cannot");
  identity.files = line.value("files", "");
  return identity;
}

Result result_from(const json& line) {
  Result result;
  line.at("adapter").get_to(result.adapter);
  line.at("vector").get_to(result.vector);
  line.at("rule").get_to(result.rule);
  result.verdict = verdict_from(line.at("verdict").get<std::string>());
  if (line.contains("was")) result.failed_as = verdict_from(line.at("was").get<std::string>());
  result.fault = fault_from(line.value("fault", ""));
  result.reason = line.value("reason", "");
  if (line.contains("step")) result.step = line.at("step").get<std::size_t>();
  result.phase = line.value("phase", "");
  if (line.contains("expected")) result.expected = line.at("expected");
  if (line.contains("got")) result.got = line.at("got");
  result.evidence = line.value("evidence", "");
  if (line.contains("signal")) result.signal = line.at("signal").get<int>();
  result.link = line.value("link", "");
  result.confirmed_by = line.value("confirmed_by", "");
  result.without_ifs = sibling_from(line, "without_ifs");
  result.rewritten = sibling_from(line, "rewritten");
  result.rewritings = rewritings_from(line);
  result.known = line.value("known", false);
  line.at("milliseconds").get_to(result.milliseconds);
  if (line.contains("runtime_milliseconds")) {
    result.runtime_milliseconds = line.at("runtime_milliseconds").get<double>();
  }
  result.vector_digest = line.value("vector_digest", "");
  return result;
}

}  // namespace ifcert::conformance
