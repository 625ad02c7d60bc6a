// One of several parts of a certification, which merge puts together again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// The vectors whose place among the selected ones, from 0, leaves number - 1 when divided by count: parts of one size,
/// and each has of every rule.
struct Shard {
  std::size_t number = 1;
  std::size_t count = 1;

  bool has(std::size_t place) const { return place % count == number - 1; }

  /// "2/3"; empty when it is all.
  std::string text() const;
};

/// Reads "2/3"; an empty text is all. Throws Error.
Shard shard_from(std::string_view text);

}  // namespace ifcert::conformance
