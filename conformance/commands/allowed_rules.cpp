#include "conformance/commands/allowed_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ifcert/allowance.hpp>
#include <ifcert/message.hpp>

#include "conformance/system/error.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {

void add_allow(CLI::App& command, std::vector<std::string>& rules) {
  command
      .add_option("--allow", rules,
                  "do not stop at findings of this rule that leave the model one meaning; repeat it for each rule "
                  "(ifcert check says which findings can be allowed)")
      ->type_name("ALLOWABLE-RULE")
      ->expected(1)
      ->take_all();
}

AllowedRules allowed_rules(const std::vector<std::string>& rules) {
  const AllowedRules allowable = allowable_rules();
  for (const std::string& rule : rules) {
    const std::string refusal = refusal_to_allow(rule);
    if (!refusal.empty())
      throw Error(fmt::format("--allow: {}{}", refusal, did_you_mean(rule, {allowable.begin(), allowable.end()})));
  }
  return {rules.begin(), rules.end()};
}

void report_allowed(const std::string& model, const std::vector<Diagnostic>& allowed) {
  AllowedRules reported;
  for (const Diagnostic& finding : allowed) {
    if (!reported.insert(finding.rule).second) continue;
    const auto count = std::ranges::count(allowed, finding.rule, &Diagnostic::rule);
    fmt::print(stderr, "ifcert: {}: allowed: {}: {} [{}]{}\n", printable(model), printable(finding.place),
               printable(finding.found), printable(finding.rule),
               count == 1 ? "" : fmt::format(", and {} more of this rule", count - 1));
  }
}

}  // namespace ifcert::conformance
