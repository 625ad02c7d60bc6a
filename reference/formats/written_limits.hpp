// Limits on repetition in a written file. In a model many values share constants, names and types; a file cannot
// express all of that, and could become many times as large as the one that the model came from.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "limits/budget.hpp"
#include "model/place.hpp"

namespace ifcert {

/// The limit on bytes of constants that are written repeatedly.
inline constexpr std::size_t repeated_bytes_limit = std::size_t{64} << 20;

/// The limit on bytes of names longer than `long_name` that are written repeatedly. Names that begin with the same
/// `long_name` bytes count as the same, because a number may have been appended to make them unique.
inline constexpr std::size_t repeated_names_limit = std::size_t{16} << 20;
inline constexpr std::size_t long_name = 256;

/// The limit on bytes of captured values, each counted in every body that it enters. A value may pass through a
/// thousand bodies and needs at least an input, a port and an edge in each of them; a name is written for all of these.
inline constexpr std::size_t captured_bytes_limit = std::size_t{64} << 20;
inline constexpr std::size_t bytes_of_captured = 512;      // of each, without its name and its type
inline constexpr std::size_t bytes_of_captured_part = 64;  // of each dimension or item type of its type

/// The limit on dimensions of types.
inline constexpr std::size_t written_dims_limit = budget_limit;

/// Counts while one file is written. Throws Inexpressible where a limit is exceeded. Constants must stay at their
/// address until the file is written.
class WrittenLimits {
 public:
  /// Counts a constant, in a format that writes its bytes at each use.
  void add_constant(const Tensor& tensor, const Place& place);

  void add_name(std::string_view name, const Place& place);
  void add_dims(std::size_t count, const Place& place);

  /// Counts a value that a body captures; to be called before anything of the body is made.
  void add_captured(const SlotInfo& value, const Place& place);

 private:
  std::set<std::pair<const void*, std::size_t>> constants_;
  std::unordered_set<std::string> names_;  // the beginnings of long ones
  std::size_t repeated_bytes_ = 0;
  std::size_t repeated_names_ = 0;
  std::size_t dims_ = 0;
  std::size_t captured_bytes_ = 0;
};

}  // namespace ifcert
