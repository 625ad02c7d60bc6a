#include "conformance/report/headline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "conformance/certify/causes.hpp"

namespace ifcert::conformance {
namespace {

Severity severity_of(const Result& failure) {
  switch (cause_kind(failure)) {
    case CauseKind::crashes_and_hangs:
      return Severity::crash_or_hang;
    case CauseKind::unstable:
      return Severity::unstable;
    case CauseKind::wrongly_accepted:
      return Severity::wrongly_accepted;
    case CauseKind::refused:
      return Severity::wrongly_refused;
    default:
      return Severity::silent_wrong_value;
  }
}

/// A failure of the runtime itself.
bool is_deviation(Verdict verdict) {
  return is_failure(verdict) && verdict != Verdict::adapter;
}

Standing standing_of(const Counted& counted, std::string_view adapter, RuleGroup group) {
  Standing standing;
  for (const RuleSummary& rule : counted.rules()) {
    if (rule.group != group) continue;
    Counts all;
    for (const Axis axis : all_axes) all.add(counted.counts(adapter, rule.name, axis));
    const std::size_t failures = all.failed() - all.of(Verdict::adapter);
    if (failures + all.of(Verdict::pass) == 0) continue;
    ++standing.run;
    if (failures == 0) ++standing.holding;
  }
  return standing;
}

/// The same text for results of one cause.
std::string cause_key(const Result& failure) {
  return failure.known && !failure.link.empty() ? failure.link : cause_of(failure);
}

std::map<Severity, std::size_t> causes_by_severity(const std::vector<const Result*>& failures) {
  std::map<std::string, Severity> worst;
  for (const Result* failure : failures) {
    const Severity severity = severity_of(*failure);
    const auto [entry, is_new] = worst.emplace(cause_key(*failure), severity);
    if (!is_new) entry->second = std::min(entry->second, severity);
  }
  std::map<Severity, std::size_t> counts;
  for (const auto& [cause, severity] : worst) ++counts[severity];
  return counts;
}

std::string causes_text(const std::map<Severity, std::size_t>& causes) {
  std::vector<std::string> parts;
  for (const auto& [severity, count] : causes) parts.push_back(fmt::format("{} {}", count, to_string(severity, count)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string to_string(Severity severity, std::size_t count) {
  const bool is_one = count == 1;
  switch (severity) {
    case Severity::silent_wrong_value:
      return is_one ? "silent wrong value" : "silent wrong values";
    case Severity::crash_or_hang:
      return is_one ? "crash or hang" : "crashes or hangs";
    case Severity::unstable:
      return "unstable";
    case Severity::wrongly_accepted:
      return "wrongly accepted";
    default:
      return "wrongly refused";
  }
}

Standing Headline::of_if() const {
  Standing sum;
  for (const RuleGroup group : {RuleGroup::operation, RuleGroup::around}) {
    const auto found = rules.find(group);
    if (found == rules.end()) continue;
    sum.holding += found->second.holding;
    sum.run += found->second.run;
  }
  return sum;
}

Headline headline_of(const Counted& counted, std::string_view adapter) {
  Headline headline;
  for (const RuleGroup group : all_rule_groups) headline.rules[group] = standing_of(counted, adapter, group);
  std::map<std::string_view, RuleGroup> groups;
  for (const RuleSummary& rule : counted.rules()) groups.emplace(rule.name, rule.group);
  std::vector<const Result*> failures;
  for (const Result& result : counted.certification().results) {
    const auto group = groups.find(result.rule);
    if (result.adapter != adapter || (group != groups.end() && group->second == RuleGroup::file)) continue;
    ++headline.vectors;
    if (result.verdict == Verdict::unsupported) ++headline.unsupported;
    if (result.verdict == Verdict::not_if) ++headline.not_if;
    if (is_deviation(result.verdict)) failures.push_back(&result);
  }
  headline.causes = causes_by_severity(failures);
  return headline;
}

nlohmann::json json_of(const Headline& headline) {
  nlohmann::json rules = nlohmann::json::object();
  for (const auto& [group, standing] : headline.rules)
    rules[to_string(group)] = {{"hold", standing.holding}, {"run", standing.run}};
  nlohmann::json causes = nlohmann::json::object();
  for (const auto& [severity, count] : headline.causes) causes[to_string(severity)] = count;
  return {{"rules", rules},
          {"causes", causes},
          {"unsupported", headline.unsupported},
          {"vectors", headline.vectors},
          {"not_if", headline.not_if}};
}

std::string headline_text(const Headline& headline) {
  const Standing of_if = headline.of_if();
  std::string text = fmt::format("{} of {} rules of If hold", of_if.holding, of_if.run);
  if (!headline.causes.empty())
    text += fmt::format("; {} {}: {}", of_if.run - of_if.holding,
                        of_if.run - of_if.holding == 1 ? "has a deviation" : "have a deviation",
                        causes_text(headline.causes));
  if (headline.unsupported > 0)
    text += fmt::format("; {} of {} vectors unsupported", headline.unsupported, headline.vectors);
  if (headline.not_if > 0)
    text += fmt::format("; {} {} not the If's", headline.not_if, headline.not_if == 1 ? "failure is" : "failures are");
  const auto file = headline.rules.find(RuleGroup::file);
  if (file != headline.rules.end() && file->second.run > 0)
    text += fmt::format("; files: {} of {} rules hold", file->second.holding, file->second.run);
  return text;
}

}  // namespace ifcert::conformance
