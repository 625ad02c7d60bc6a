#include "conformance/report/headline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

namespace ifcert::conformance {
namespace {

/// "silent wrong value", … of one cause; "silent wrong values", … of several.
std::string words_for(CauseKind kind, std::size_t count) {
  if (kind == CauseKind::wrong_values) return count == 1 ? "silent wrong value" : "silent wrong values";
  if (kind == CauseKind::crashes_and_hangs) return count == 1 ? "crash or hang" : "crashes or hangs";
  return kind == CauseKind::refused ? "wrongly refused" : to_string(kind);
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

std::map<CauseKind, std::size_t> causes_of_failures(const std::vector<const Result*>& failures) {
  std::map<std::string, CauseKind> worst;
  for (const Result* failure : failures) {
    const CauseKind kind = cause_kind(*failure);
    const auto [entry, is_new] = worst.emplace(cause_key(*failure), kind);
    if (!is_new) entry->second = std::min(entry->second, kind);
  }
  std::map<CauseKind, std::size_t> counts;
  for (const auto& [cause, kind] : worst) ++counts[kind];
  return counts;
}

std::string causes_text(const std::map<CauseKind, std::size_t>& causes) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : causes) parts.push_back(fmt::format("{} {}", count, words_for(kind, count)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

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
  std::map<std::string_view, std::set<Verdict>> ideas;
  for (const Result& result : counted.certification().results) {
    const auto group = groups.find(result.rule);
    if (result.adapter != adapter || (group != groups.end() && group->second == RuleGroup::file)) continue;
    ideas[idea_of(result.vector)].insert(result.verdict);
    if (is_deviation(result.verdict)) failures.push_back(&result);
  }
  headline.ideas = ideas.size();
  for (const auto& [idea, verdicts] : ideas) {
    if (verdicts == std::set{Verdict::unsupported}) ++headline.unsupported;
    if (verdicts.contains(Verdict::not_if)) ++headline.not_if;
  }
  headline.causes = causes_of_failures(failures);
  return headline;
}

std::string_view idea_of(std::string_view vector) {
  for (const std::string_view mark : {"-cold-", "-in-opset-"}) {
    const std::size_t at = vector.rfind(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view number = vector.substr(at + mark.size());
    const bool is_number = number.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number.empty() && is_number) vector = vector.substr(0, at);
  }
  return vector;
}

nlohmann::json json_of(const Headline& headline) {
  nlohmann::json rules = nlohmann::json::object();
  for (const auto& [group, standing] : headline.rules)
    rules[to_string(group)] = {{"hold", standing.holding}, {"run", standing.run}};
  nlohmann::json causes = nlohmann::json::object();
  for (const auto& [kind, count] : headline.causes) causes[words_for(kind, 1)] = count;
  return {{"rules", rules},
          {"causes", causes},
          {"ideas", headline.ideas},
          {"unsupported", headline.unsupported},
          {"not_if", headline.not_if}};
}

std::string headline_text(const Headline& headline) {
  const Standing of_if = headline.of_if();
  std::string text = fmt::format("{} of {} rules of If hold", of_if.holding, of_if.run);
  if (!headline.causes.empty())
    text += fmt::format("; {} {}; causes: {}", of_if.run - of_if.holding,
                        of_if.run - of_if.holding == 1 ? "has a deviation" : "have a deviation",
                        causes_text(headline.causes));
  if (headline.unsupported > 0)
    text += fmt::format("; {} of {} ideas unsupported", headline.unsupported, headline.ideas);
  if (headline.not_if > 0)
    text += fmt::format("; {} {} without the If too", headline.not_if, headline.not_if == 1 ? "fails" : "fail");
  const auto file = headline.rules.find(RuleGroup::file);
  if (file != headline.rules.end() && file->second.run > 0)
    text += fmt::format("; files: {} of {} rules hold", file->second.holding, file->second.run);
  return text;
}

}  // namespace ifcert::conformance
