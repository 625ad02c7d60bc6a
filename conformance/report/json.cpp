#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "conformance/certify/causes.hpp"
#include "conformance/report/formats.hpp"
#include "conformance/report/headline.hpp"
#include "conformance/report/rewritings.hpp"
#include "conformance/results/cost.hpp"
#include "conformance/results/result_json.hpp"
#include "conformance/suite/model_text.hpp"
#include "conformance/suite/profiles.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

std::string in_shell(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+:,-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string shell = "'";
  for (const char letter : word) shell += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return shell + "'";
}

template <class Items, class ToJson>
json list_of(const Items& items, const ToJson& to_json) {
  json list = json::array();
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

json adapter_json(const AdapterIdentity& adapter) {
  const json& features = adapter.unsupported_features;
  return {{"name", adapter.name},       {"runtime", adapter.runtime},
          {"version", adapter.version}, {"language", adapter.language},
          {"home", adapter.home},       {"computes", adapter.runs_models},
          {"systems", adapter.systems}, {"cannot", features.is_array() ? features : json::array()}};
}

json rule_json(const RuleSummary& rule) {
  return {{"name", rule.name}, {"holds", rule.requirement}, {"clause", rule.clause}, {"group", to_string(rule.group)}};
}

json vector_json(const VectorSummary& vector) {
  return {{"id", vector.id},
          {"system", vector.system},
          {"profiles", vector.profiles},
          {"rule", vector.rule},
          {"title", vector.title},
          {"axis", to_string(vector.axis)},
          {"obliged_by", vector.obliged_by},
          {"twin", vector.twin},
          {"why", vector.why.is_array() ? vector.why : json::array()},
          {"steps", vector.steps.is_array() ? vector.steps : json::array()},
          {"model", text_of_vector(vector)},
          {"model_path", vector.model_path}};
}

const AdapterIdentity& adapter_of(const Certification& certification, const Result& result) {
  return *std::ranges::find(certification.adapters, result.adapter, &AdapterIdentity::name);  // Counted has checked it
}

/// The command that writes a script for the runtime's plain API; empty where that API is not known.
std::string script_of(const Certification& certification, const Result& result) {
  const auto& known = certification.plain_runtimes;
  if (std::ranges::find(known, result.adapter) == known.end()) return "";
  return fmt::format("{} reproduce {} --runtime {}",
                     in_shell(certification.program.empty() ? "ifcert" : certification.program),
                     in_shell(result.vector), in_shell(result.adapter));
}

json result_json(const Certification& certification, const Result& result, const json& cause) {
  json made{{"adapter", result.adapter},
            {"vector", result.vector},
            {"verdict", to_string(result.verdict)},
            {"fault", result.fault == Fault::none ? "" : to_string(result.fault)},
            {"line", verdict_line(result)},
            {"reason", result.reason},
            {"step", result.step ? json(*result.step) : json(nullptr)},
            {"phase", result.phase},
            {"expected", result.expected},
            {"got", result.got},
            {"evidence", result.evidence},
            {"signal", result.signal ? json(*result.signal) : json(nullptr)},
            {"link", result.link},
            {"known", result.known},
            {"confirmed_by", result.confirmed_by},
            {"milliseconds", result.milliseconds},
            {"runtime_milliseconds", result.runtime_milliseconds ? json(*result.runtime_milliseconds) : json(nullptr)},
            {"reproduce", reproduce(certification.program, adapter_of(certification, result), result.vector)},
            {"script", script_of(certification, result)},
            {"cause", cause}};
  if (result.failed_as) made["was"] = to_string(*result.failed_as);
  if (result.without_ifs) made["without_ifs"] = json_of(*result.without_ifs);
  if (result.rewritten) made["rewritten"] = json_of(*result.rewritten);
  for (const RewritingResult& rewriting : result.rewritings) made["rewritings"].push_back(json(json_of(rewriting)));
  return made;
}

json cause_json(const Cause& cause) {
  const Result& example = cause.example();
  json axes = json::object();
  for (const auto& [axis, count] : cause.axes) axes[to_string(axis)] = count;
  return {{"adapter", cause.adapter},  {"kind", to_string(cause.kind)},   {"line", verdict_line(example)},
          {"phase", example.phase},    {"message", own_line(example)},    {"reason", example.reason},
          {"example", example.vector}, {"results", cause.results.size()}, {"axes", axes},
          {"known", cause.known}};
}

json results_json(const Certification& certification, const std::vector<Cause>& causes) {
  std::map<const Result*, std::size_t> indices;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    for (const Result* result : causes[i].results) indices.emplace(result, i);
  }
  return list_of(certification.results, [&](const Result& result) {
    const auto found = indices.find(&result);
    return result_json(certification, result, found == indices.end() ? json(nullptr) : json(found->second));
  });
}

json counts_json(const Counts& counts) {
  json verdicts = json::object();
  for (const Verdict verdict : all_verdicts) verdicts[to_string(verdict)] = counts.of(verdict);
  return {{"vectors", counts.total}, {"verdicts", verdicts}, {"known", counts.known}};
}

json tallies_json(const Counted& counted) {
  json tallies = json::array();
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    for (const RuleSummary& rule : counted.rules()) {
      for (const Axis axis : all_axes) {
        const Counts counts = counted.counts(adapter.name, rule.name, axis);
        if (counts.total == 0) continue;
        json tally = counts_json(counts);
        tally["adapter"] = adapter.name;
        tally["rule"] = rule.name;
        tally["axis"] = to_string(axis);
        tally["holds"] = counts.holds();
        tallies.push_back(tally);
      }
    }
  }
  return tallies;
}

json totals_json(const Counted& counted) {
  json totals = json::array();
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    for (const Axis axis : all_axes) {
      const Total total = counted.total(adapter.name, axis);
      json whole = counts_json(total.vectors);
      whole["adapter"] = adapter.name;
      whole["axis"] = to_string(axis);
      whole["rules"] = total.rules;
      whole["rules_holding"] = total.rules_holding;
      totals.push_back(whole);
    }
  }
  return totals;
}

json headlines_json(const Counted& counted) {
  json headlines = json::array();
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    const Headline headline = headline_of(counted, adapter.name);
    json row = json_of(headline);
    row["adapter"] = adapter.name;
    row["text"] = headline_text(headline);
    headlines.push_back(std::move(row));
  }
  return headlines;
}

/// A row per profile and axis; see levels_of().
json levels_json(const Certification& certification) {
  json levels = json::array();
  for (const AdapterIdentity& adapter : certification.adapters) {
    for (const Level& level : levels_of(certification, adapter)) {
      json row = counts_json(level.counts);
      row["adapter"] = adapter.name;
      row["profile"] = level.profile;
      row["axis"] = to_string(level.axis);
      row["rules"] = level.rules;
      row["rules_holding"] = level.holding();
      row["missing"] = level.missing;
      levels.push_back(row);
    }
  }
  return levels;
}

json cost_json(const Cost& cost) {
  json overhead = nullptr;
  if (cost.overhead) {
    overhead = {{"median", cost.overhead->median}, {"percentile_95", cost.overhead->percentile_95}};
  }
  json made{{"adapter", cost.adapter},
            {"vectors", cost.vectors},
            {"milliseconds", cost.milliseconds},
            {"seconds", cost.wall_time ? json(cost.wall_time->seconds) : json(nullptr)},
            {"confirming_seconds", cost.wall_time ? json(cost.wall_time->retry_seconds) : json(nullptr)},
            {"sibling_seconds", cost.wall_time ? json(cost.wall_time->sibling_seconds) : json(nullptr)},
            {"own_share", overhead}};
  if (cost.wall_time && cost.wall_time->rewriting_seconds > 0)
    made["rewriting_seconds"] = cost.wall_time->rewriting_seconds;
  return made;
}

json rewriting_findings_json(const RewritingFindings& all) {
  const json vectors = list_of(all.findings, [](const RewritingFinding& each) {
    return json{{"vector", each.pass->vector},
                {"line", verdict_line(*each.rewriting)},
                {"message", message_of(*each.rewriting)},
                {"known", each.rewriting->known}};
  });
  return {{"adapter", all.adapter}, {"name", all.name}, {"what", all.what}, {"run", all.run}, {"vectors", vectors}};
}

json breach_json(const ListBreach& breach) {
  return {{"kind", to_string(breach.kind)},
          {"adapter", breach.adapter},
          {"vector", breach.vector},
          {"message", breach.message}};
}

}  // namespace

json report_json(const Counted& counted) {
  const Certification& certification = counted.certification();
  const std::vector<Cause> causes = causes_of(certification);
  json report{{"format", 7},
              {"manifest", certification.manifest_digest},
              {"started", certification.started},
              {"ended", certification.ended},
              {"selector", certification.selector},
              {"shard", certification.shard},
              {"limits", certification.limits.is_object() ? certification.limits : json::object()},
              {"isolation", certification.isolation.is_object() ? certification.isolation : json::object()},
              {"adapters", list_of(certification.adapters, adapter_json)},
              {"rules", list_of(counted.rules(), rule_json)},
              {"vectors", list_of(certification.vectors, vector_json)},
              {"causes", list_of(causes, cause_json)},
              {"results", results_json(certification, causes)},
              {"tallies", tallies_json(counted)},
              {"headlines", headlines_json(counted)},
              {"totals", totals_json(counted)},
              {"levels", levels_json(certification)},
              {"costs", list_of(costs_of(certification), cost_json)},
              {"breaches", list_of(certification.breaches, breach_json)}};
  if (certification.kept.results > 0) report["kept"] = json_of(certification.kept);
  if (has_rewritings(certification))
    report["rewritings"] = list_of(rewriting_findings(certification), rewriting_findings_json);
  return report;
}

std::string as_text(const json& document, int indent) {
  return document.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string reproduce(std::string_view program, const AdapterIdentity& adapter, std::string_view vector) {
  return fmt::format("{} certify {} --vector {} --out {}", in_shell(program.empty() ? "ifcert" : program),
                     in_shell(adapter.folder.empty() ? adapter.name : adapter.folder), in_shell(vector),
                     in_shell(fmt::format("reproduced/{}/{}", adapter.name, vector)));
}

}  // namespace ifcert::conformance
