// The tables of the rules: all of them, one by its name, and the functions that check or implement them.
#include <algorithm>
#include <ifcert/rules.hpp>

#include "check/rule_tables.hpp"

namespace ifcert {

std::span<const Rule> all_rules() {
  return rule_table;
}

const Rule* find_rule(std::string_view name) {
  const auto found = std::ranges::find(rule_table, name, &Rule::name);
  return found == rule_table.end() ? nullptr : &*found;
}

std::span<const RuleFunction> rule_functions() {
  return rule_function_table;
}

}  // namespace ifcert
