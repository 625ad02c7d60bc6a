// What a written file may hold again and again. A model shares constants, names and types among many values; a file has
// no words for some of that, and would be many times as large as the one that the model came from.
#pragma once

#include <cstddef>
#include <ifcert/values.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "budget.hpp"
#include "place.hpp"

namespace ifcert {

/// Bytes of constants that are written a second time and more.
inline constexpr std::size_t repeated_bytes_limit = std::size_t{64} << 20;

/// Bytes of names, each longer than `long_name`, that are written a second time and more. Names that begin with the
/// same `long_name` bytes are taken for one, with a number behind it.
inline constexpr std::size_t repeated_names_limit = std::size_t{16} << 20;
inline constexpr std::size_t long_name = 256;

/// Dimensions of the types that are written.
inline constexpr std::size_t written_dims_limit = budget_limit;

/// Counts while one file is written. Throws Inexpressible where a limit is reached. Constants stay where they are until
/// the file is written.
class WrittenLimits {
 public:
  /// A constant, of a format that writes its bytes at each place.
  void add_constant(const Tensor& tensor, const Place& place);

  void add_name(std::string_view name, const Place& place);
  void add_dims(std::size_t count, const Place& place);

 private:
  std::set<std::pair<const void*, std::size_t>> constants_;
  std::unordered_set<std::string> names_;  // how the long ones begin
  std::size_t repeated_bytes_ = 0;
  std::size_t repeated_names_ = 0;
  std::size_t dims_ = 0;
};

}  // namespace ifcert
