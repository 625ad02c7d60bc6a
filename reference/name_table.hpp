// A constant table whose rows are found by name: the compiler hashes the names, so that nothing is allocated.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ifcert {

/// Rows have a `name`; rows with the same name are adjacent.
template <class Row, std::size_t count>
class NameTable {
 public:
  explicit constexpr NameTable(const std::array<Row, count>& rows) : rows_(rows) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t& row = first_[place_of(rows[i].name)];
      if (row == none) row = i;
    }
  }

  /// The rows with that name.
  constexpr std::span<const Row> find(std::string_view name) const {
    const std::size_t first = first_[place_of(name)];
    if (first == none) return {};
    std::size_t last = first;
    while (last < count && rows_[last].name == name) ++last;
    return rows_.subspan(first, last - first);
  }

 private:
  static constexpr std::size_t none = count;
  static constexpr std::size_t places = std::bit_ceil(2 * count);

  /// FNV-1a.
  static constexpr std::size_t hash_of(std::string_view name) {
    std::uint32_t hash = 0x811C9DC5;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193U;
    return hash;
  }

  /// The bucket of the name, or the free bucket where it would be; half of the buckets are free.
  constexpr std::size_t place_of(std::string_view name) const {
    std::size_t at = hash_of(name) % places;
    while (first_[at] != none && rows_[first_[at]].name != name) at = (at + 1) % places;
    return at;
  }

  static constexpr std::array<std::size_t, places> all_free() {
    std::array<std::size_t, places> free{};
    free.fill(none);
    return free;
  }

  std::span<const Row> rows_;
  std::array<std::size_t, places> first_ = all_free();
};

}  // namespace ifcert
