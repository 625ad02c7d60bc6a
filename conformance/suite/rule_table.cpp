#include "conformance/suite/rule_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/rules.hpp>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

RuleGroup group_of(const Rule& rule) {
  switch (rule.group) {
    case ifcert::RuleGroup::operation:
      return RuleGroup::operation;
    case ifcert::RuleGroup::around:
      return RuleGroup::around;
    default:
      return RuleGroup::file;
  }
}

}  // namespace

std::vector<RuleSummary> all_rules() {
  std::vector<RuleSummary> all;
  for (const Rule& rule : ifcert::all_rules()) {
    all.push_back({std::string(rule.name), std::string(rule.holds), fmt::format("{}: {}", rule.source, rule.clause),
                   group_of(rule)});
  }
  return all;
}

std::vector<RuleSummary> rules_of(const std::vector<VectorSummary>& vectors) {
  std::vector<RuleSummary> used = all_rules();
  for (const VectorSummary& vector : vectors) {
    if (std::ranges::find(used, vector.rule, &RuleSummary::name) == used.end()) {
      throw Error(fmt::format("{} counts for the rule {}, which the reference does not know", vector.id, vector.rule));
    }
  }
  std::erase_if(used, [&vectors](const RuleSummary& rule) {
    return std::ranges::find(vectors, rule.name, &VectorSummary::rule) == vectors.end();
  });
  return used;
}

}  // namespace ifcert::conformance
