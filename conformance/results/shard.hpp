// One of several parts of a certification, which `ifcert merge` combines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifcert::conformance {

/// Those of the selected vectors whose index, counted from 0, is `number` - 1 modulo `count`. So all shards have about
/// the same size, and vectors of nearly every rule.
struct Shard {
  std::size_t number = 1;
  std::size_t count = 1;

  bool has(std::size_t index) const { return index % count == number - 1; }

  /// "2/3"; empty for the whole.
  std::string text() const;
};

/// Reads "2/3"; an empty text means the whole. Throws Error for any other text.
Shard shard_from(std::string_view text);

}  // namespace ifcert::conformance
