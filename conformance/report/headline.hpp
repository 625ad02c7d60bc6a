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
  /// Of the ideas of If and around it (idea_of), those of which the runtime supports no vector, and those of which a
  /// vector fails without the If too.
  std::size_t ideas = 0, unsupported = 0, not_if = 0;

  /// Of If and around it together: a runtime is certified for If by these.
  [[nodiscard]] Standing of_if() const;
};

Headline headline_of(const Counted& counted, std::string_view adapter);

/// What a vector tests, by its id: vectors of one type in several versions ("…-in-opset-13") test one idea, and a
/// control, which repeats a run of another vector in a session of its own ("…-cold-2"), has none of its own.
std::string_view idea_of(std::string_view vector);

/// {"rules": {"If": {"hold", "run"}, "around If": …, "file": …}, "causes": {"silent wrong value": …}, "ideas",
/// "unsupported", "not_if"}, as report.json and certificate.json have it.
nlohmann::json json_of(const Headline& headline);

/// "51 of 63 rules of If hold; 12 have a deviation; causes: 3 silent wrong values, 9 wrongly refused; 210 of 2412 ideas
/// unsupported; 9 fail without the If too; files: 20 of 21 rules hold"
std::string headline_text(const Headline& headline);

}  // namespace ifcert::conformance
