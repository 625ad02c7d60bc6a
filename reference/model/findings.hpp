// The findings in one model: each mistake once, with long texts shortened, and limited in number, because a hostile
// file could go on for ever.
#pragma once

#include <algorithm>
#include <array>
#include <ifcert/diagnostic.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/place.hpp"

namespace ifcert {

class Findings {
 public:
  /// Have enough findings of this level been reported? A file can break a rule at every byte. Levels are counted
  /// separately, so that warnings do not crowd out errors.
  bool full(Level level = Level::error) const {
    const Count& count = counts_[static_cast<std::size_t>(level)];
    return count.kept >= 100 || count.reports >= 10'000;
  }

  /// `allowable`: the model has one meaning in spite of the finding (Diagnostic::allowable).
  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& expected,
              Level level = Level::error, bool allowable = false) {
    if (full(level)) return;
    Count& count = counts_[static_cast<std::size_t>(level)];
    ++count.reports;
    Diagnostic diagnostic{std::string(rule), to_string(place), shortened(found, 2000), shortened(expected, 2000), level,
                          allowable};
    const auto same =
        std::ranges::find_if(broken_, [&](const Diagnostic& known) { return repeats(known, diagnostic); });
    if (same == broken_.end()) {
      ++count.kept;
      broken_.push_back(std::move(diagnostic));
    } else {
      if (level == Level::error) same->level = level;
      same->allowable = same->allowable && allowable;
    }
  }

  const std::vector<Diagnostic>& broken() const { return broken_; }
  std::vector<Diagnostic> take() { return std::move(broken_); }

 private:
  struct Count {
    std::size_t kept = 0;
    std::size_t reports = 0;  // counting repeats
  };

  /// Whether a diagnostic is one that is known already: a mistake in a function is found again in each call of the
  /// function. The level is not compared, because only one of the calls may be certain to run.
  static bool repeats(const Diagnostic& known, const Diagnostic& other) {
    return known.rule == other.rule && known.place == other.place && known.found == other.found &&
           known.expected == other.expected;
  }

  std::vector<Diagnostic> broken_;
  std::array<Count, 2> counts_;  // by level
};

/// Reports places that break one rule.
struct Report {
  std::string_view rule;
  Findings& findings;

  void operator()(const Place& place, const std::string& found, const std::string& expected) const {
    findings.report(rule, place, found, expected);
  }
};

}  // namespace ifcert
