// What is found broken in one model: each mistake once, long texts shortened, and an end where a hostile file could go
// on for ever.
#pragma once

#include <algorithm>
#include <ifcert/diagnostic.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "place.hpp"

namespace ifcert {

class Findings {
 public:
  /// A file can break a rule at every byte: what was found by then says enough.
  bool full() const { return broken_.size() >= 100 || reports_ >= 10'000; }

  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& asked) {
    if (full()) return;
    ++reports_;
    Diagnostic diagnostic{std::string(rule), to_string(place), shortened(found, 2000), shortened(asked, 2000)};
    // A function that is called twice shows its mistakes twice.
    if (std::ranges::find(broken_, diagnostic) == broken_.end()) broken_.push_back(std::move(diagnostic));
  }

  const std::vector<Diagnostic>& broken() const { return broken_; }
  std::vector<Diagnostic> take() { return std::move(broken_); }

 private:
  std::vector<Diagnostic> broken_;
  std::size_t reports_ = 0;  // repeats too
};

}  // namespace ifcert
