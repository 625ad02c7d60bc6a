#include "conformance/system/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ifcert::conformance {
namespace {

constexpr std::size_t most = 3;

/// No near misses are searched for longer texts: the distance takes time proportional to the product of the lengths.
constexpr std::size_t longest = 200;

/// The number of letters to change, leave out, add, or exchange with their neighbour (the Damerau-Levenshtein distance
/// with adjacent exchanges).
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before_last(other.size() + 1), last(other.size() + 1), row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t change = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

/// One letter for a short word, a quarter of a long one.
std::size_t allowed(std::string_view word) {
  return std::max<std::size_t>(1, (word.size() + 1) / 4);
}

}  // namespace

std::vector<std::string> suggestions(std::string_view word, const std::vector<std::string>& names) {
  if (word.empty() || word.size() > longest) return {};
  const std::size_t far = allowed(word) + 1;
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::size_t lengths = std::max(name.size(), word.size()) - std::min(name.size(), word.size());
    const bool is_part = word.size() > 2 && name.find(word) != std::string::npos;
    const std::size_t away = lengths >= far ? far : distance(word, name);
    if (away < far || is_part) found.emplace_back(std::min(away, far), name);
  }
  const std::size_t count = std::min(most, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count));
  found.resize(count);
  std::vector<std::string> nearest;
  for (auto& [away, name] : found) nearest.push_back(std::move(name));
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string> nearest = suggestions(word, names);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(nearest, " or "));
}

}  // namespace ifcert::conformance
