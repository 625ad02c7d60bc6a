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
      Group& group = groups_[bucket_of(rows[i].name)];
      if (group.rows == 0) group.first = i;
      ++group.rows;
    }
  }

  /// The rows with that name.
  constexpr std::span<const Row> find(std::string_view name) const {
    const Group& group = groups_[bucket_of(name)];
    return rows_.subspan(group.first, group.rows);
  }

 private:
  /// The rows of one name; none in a free bucket.
  struct Group {
    std::size_t first = 0;
    std::size_t rows = 0;
  };

  static constexpr std::size_t buckets = std::bit_ceil(2 * count);

  /// FNV-1a.
  static constexpr std::size_t hash_of(std::string_view name) {
    std::uint32_t hash = 0x811C9DC5;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193U;
    return hash;
  }

  /// The bucket of the name, or the free bucket where it would be; half of the buckets are free.
  constexpr std::size_t bucket_of(std::string_view name) const {
    std::size_t at = hash_of(name) % buckets;
    while (groups_[at].rows != 0 && rows_[groups_[at].first].name != name) at = (at + 1) % buckets;
    return at;
  }

  std::span<const Row> rows_;
  std::array<Group, buckets> groups_{};
};

}  // namespace ifcert
