// Which rules a caller may allow a model to break, because the model keeps one meaning.
#pragma once

#include <ifcert/reading.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ifcert {

/// Whether a breach of the rule can leave a model one meaning, and why, or why not. Of a single finding
/// Diagnostic::allowable says whether it does.
struct Allowance {
  std::string_view rule;
  bool allowable;
  std::string_view why;
};

/// The rules that can be allowed, and those of which one may think so.
std::span<const Allowance> all_allowances();

/// The rule's own row, or the answer for all rules without one.
Allowance allowance_of(std::string_view rule);

/// The rules that can be allowed.
AllowedRules allowable_rules();

/// Why the name cannot be in AllowedRules; empty where it can.
std::string refusal_to_allow(std::string_view rule);

}  // namespace ifcert
