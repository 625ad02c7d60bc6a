// What one reads of a runtime first: how many rules of If hold, and by how many causes the others do not.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "conformance/certify/causes.hpp"
#include "conformance/results/counts.hpp"

namespace ifcert::conformance {

/// The rules of a group that a runtime runs: at least one of their vectors passed or failed, on any axis. They hold
/// where none failed. LENIENT, UNSUPPORTED and what is not the If are no failures.
struct Standing {
  std::size_t holding = 0, run = 0;
};

struct Headline {
  std::map<RuleGroup, Standing> rules;
  /// Distinct causes of failures on rules of If and around it. Failures that a list links to one entry are one cause;
  /// others as causes_of() groups them. A cause counts with its worst failure: CauseKind begins with the worst.
  std::map<CauseKind, std::size_t> causes;
  std::size_t unsupported = 0, vectors = 0;  // of If and around it
  std::size_t not_if = 0;                    // vectors of If and around it that fail without the If too

  /// Of If and around it together: a runtime is certified for If by these.
  [[nodiscard]] Standing of_if() const;
};

Headline headline_of(const Counted& counted, std::string_view adapter);

/// {"rules": {"If": {"hold", "run"}, "around If": …, "file": …}, "causes": {"silent wrong value": …}, "unsupported",
/// "vectors", "not_if"}, as report.json and certificate.json have it.
nlohmann::json json_of(const Headline& headline);

/// "51 of 63 rules of If hold; 12 have a deviation; causes: 3 silent wrong values, 9 wrongly refused; 210 of 3412
/// vectors unsupported; 9 failures are not the If's; files: 20 of 21 rules hold"
std::string headline_text(const Headline& headline);

}  // namespace ifcert::conformance
