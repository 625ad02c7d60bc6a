// One of several parts of a certification, which merge combines again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The vectors whose position among the selected ones, counted from 0, leaves number - 1 when divided by count: the
/// parts have the same size, and each has vectors of every rule.
struct Shard {
  std::size_t number = 1;
  std::size_t count = 1;

  bool has(std::size_t index) const { return index % count == number - 1; }

  /// "2/3"; empty for the whole.
  std::string text() const;
};

/// Reads "2/3"; an empty text is the whole. Throws Error.
Shard shard_from(std::string_view text);

}  // namespace ifcert::conformance
