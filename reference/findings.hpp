// What is found broken in one model: each mistake once, long texts shortened, and an end where a hostile file could go
// on for ever.
#pragma once

#include <algorithm>
#include <array>
#include <ifcert/diagnostic.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "place.hpp"

namespace ifcert {

class Findings {
 public:
  /// A file can break a rule at every byte: what was found by then says enough. Warnings crowd no error out.
  bool full(Level level = Level::error) const {
    const Count& count = counts_[static_cast<std::size_t>(level)];
    return count.kept >= 100 || count.reports >= 10'000;
  }

  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& expected,
              Level level = Level::error) {
    if (full(level)) return;
    Count& count = counts_[static_cast<std::size_t>(level)];
    ++count.reports;
    Diagnostic diagnostic{std::string(rule), to_string(place), shortened(found, 2000), shortened(expected, 2000),
                          level};
    const auto same =
        std::ranges::find_if(broken_, [&](const Diagnostic& known) { return repeats(known, diagnostic); });
    if (same == broken_.end()) {
      ++count.kept;
      broken_.push_back(std::move(diagnostic));
    } else if (level == Level::error) {
      same->level = level;
    }
  }

  const std::vector<Diagnostic>& broken() const { return broken_; }
  std::vector<Diagnostic> take() { return std::move(broken_); }

 private:
  struct Count {
    std::size_t kept = 0;
    std::size_t reports = 0;  // repeats too
  };

  /// A function that is called twice shows its mistakes twice, and one of the calls may be the one that is certain.
  static bool repeats(const Diagnostic& known, const Diagnostic& other) {
    return known.rule == other.rule && known.place == other.place && known.found == other.found &&
           known.expected == other.expected;
  }

  std::vector<Diagnostic> broken_;
  std::array<Count, 2> counts_;  // by level
};

}  // namespace ifcert
