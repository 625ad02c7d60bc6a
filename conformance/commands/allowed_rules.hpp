// --allow RULE: findings that leave a model one meaning, and do not stop a command.
#pragma once

#include <CLI/CLI.hpp>
#include <ifcert/reading.hpp>
#include <string>
#include <vector>

namespace ifcert::conformance {

/// Adds the option, which may be repeated.
void add_allow(CLI::App& command, std::vector<std::string>& rules);

/// Throws Error where one of them is no rule, or cannot be allowed.
AllowedRules allowed_rules(const std::vector<std::string>& rules);

/// Says on standard error which findings in the model were allowed, a line for each rule.
void report_allowed(const std::string& model, const std::vector<Diagnostic>& allowed);

}  // namespace ifcert::conformance
