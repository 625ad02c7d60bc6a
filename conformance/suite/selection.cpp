#include "conformance/suite/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "conformance/suite/profiles.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

/// One kind of globs: its option, its globs, and the names of a vector with which they are compared.
struct Selector {
  const char* option;
  const std::vector<std::string>* globs;
  std::vector<std::string> (*names)(const VectorSummary&);

  bool matches(const std::string& glob, const VectorSummary& vector) const {
    return std::ranges::any_of(names(vector), [&glob](const std::string& name) { return glob_matches(glob, name); });
  }
};

using Names = std::vector<std::string>;

constexpr const char* where_option = "--where";

std::array<Selector, 3> selectors(const Selection& selection) {
  return {{{"--rule", &selection.rules, [](const VectorSummary& vector) { return Names{vector.rule}; }},
           {"--vector", &selection.vectors, [](const VectorSummary& vector) { return Names{vector.id}; }},
           {"--profile", &selection.profiles, [](const VectorSummary& vector) { return vector.profiles; }}}};
}

std::string option_text(const Selector& selector, const std::string& glob) {
  return fmt::format("{} '{}'", selector.option, glob);
}

/// The names that a selector could match, each once.
std::vector<std::string> names_of(const Selector& selector, const std::vector<VectorSummary>& all) {
  std::set<std::string> names;
  for (const VectorSummary& vector : all) {
    for (std::string& name : selector.names(vector)) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

/// Similar names. For --profile also all names, because there are only a few.
std::string suggestion(const Selector& selector, const std::string& glob, const std::vector<VectorSummary>& all) {
  std::vector<std::string> names = names_of(selector, all);
  std::string near = did_you_mean(glob, names);
  if (std::string_view(selector.option) != "--profile") return near;
  std::ranges::sort(names, is_listed_before);
  return fmt::format("; the profiles are {}{}", fmt::join(names, ", "), near);
}

bool has(const VectorSummary& vector, std::string_view coordinate) {
  return std::ranges::any_of(vector.coordinates, [coordinate](const auto& each) {
    return fmt::format("{}={}", each.first, each.second) == coordinate;
  });
}

/// The values of each dimension of the vectors.
std::map<std::string, std::set<std::string>> dimensions_of(const std::vector<VectorSummary>& all) {
  std::map<std::string, std::set<std::string>> dimensions;
  for (const VectorSummary& vector : all) {
    for (const auto& [name, value] : vector.coordinates) dimensions[name].insert(value);
  }
  return dimensions;
}

/// Throws Error for a coordinate that no vector has. It names the dimensions, or the values of the one that was meant.
void require_coordinates(const std::vector<std::string>& coordinates, const std::vector<VectorSummary>& all) {
  if (coordinates.empty()) return;
  const auto dimensions = dimensions_of(all);
  for (const std::string& coordinate : coordinates) {
    if (std::ranges::any_of(all, [&](const VectorSummary& vector) { return has(vector, coordinate); })) continue;
    const auto meant = dimensions.find(coordinate.substr(0, coordinate.find('=')));
    if (meant != dimensions.end())
      throw Error(fmt::format("{} '{}' matches none of the {} vectors; the values of {} are {}", where_option,
                              coordinate, all.size(), meant->first, fmt::join(meant->second, ", ")));
    std::vector<std::string> names;
    for (const auto& dimension : dimensions) names.push_back(dimension.first);
    throw Error(
        fmt::format("{} '{}' matches none of the {} vectors; expected DIMENSION=VALUE, and the dimensions are {}",
                    where_option, coordinate, all.size(), fmt::join(names, ", ")));
  }
}

/// Throws Error for a glob that matches no vector.
void require_matches(const Selection& selection, const std::vector<VectorSummary>& all) {
  for (const Selector& selector : selectors(selection)) {
    for (const std::string& glob : *selector.globs) {
      const bool matches =
          std::ranges::any_of(all, [&](const VectorSummary& vector) { return selector.matches(glob, vector); });
      if (!matches)
        throw Error(fmt::format("{} matches none of the {} vectors{}", option_text(selector, glob), all.size(),
                                suggestion(selector, glob, all)));
    }
  }
}

}  // namespace

bool glob_matches(const std::string& glob, const std::string& text) {
  return ::fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

bool Selection::selects(const VectorSummary& vector) const {
  if (!std::ranges::all_of(coordinates, [&vector](const std::string& each) { return has(vector, each); })) return false;
  return std::ranges::all_of(selectors(*this), [&vector](const Selector& selector) {
    return selector.globs->empty() || std::ranges::any_of(*selector.globs, [&](const std::string& glob) {
             return selector.matches(glob, vector);
           });
  });
}

std::string Selection::text() const {
  std::vector<std::string> parts;
  for (const Selector& selector : selectors(*this)) {
    for (const std::string& glob : *selector.globs) parts.push_back(option_text(selector, glob));
  }
  for (const std::string& coordinate : coordinates) parts.push_back(fmt::format("{} '{}'", where_option, coordinate));
  return fmt::format("{}", fmt::join(parts, " "));
}

Selection selection_from(std::string_view text) {
  Selection selection;
  const auto globs_of = [&selection](std::string_view option) -> std::vector<std::string>* {
    if (option == "--rule") return &selection.rules;
    if (option == "--vector") return &selection.vectors;
    if (option == "--profile") return &selection.profiles;
    return option == where_option ? &selection.coordinates : nullptr;
  };
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t open = rest.find(" '");
    const std::size_t next = std::min(rest.find("' --"), rest.size() - 1);  // the quote that ends the glob
    std::vector<std::string>* const globs = globs_of(rest.substr(0, open));
    if (globs == nullptr || open == std::string_view::npos || next < open + 2) break;
    globs->emplace_back(rest.substr(open + 2, next - open - 2));
    rest.remove_prefix(std::min(next + 2, rest.size()));
  }
  if (selection.text() != text) throw Error(fmt::format("'{}' is not a selector", text));
  return selection;
}

std::vector<VectorSummary> selected(const std::vector<VectorSummary>& all, const Selection& selection,
                                    const Shard& shard) {
  require_matches(selection, all);
  require_coordinates(selection.coordinates, all);
  std::vector<VectorSummary> mine;
  std::size_t index = 0;
  for (const VectorSummary& vector : all) {
    if (selection.selects(vector) && shard.has(index++)) mine.push_back(vector);
  }
  if (index == 0) throw Error(fmt::format("{} together match none of the {} vectors", selection.text(), all.size()));
  if (index < shard.count) {
    throw Error(fmt::format("--shard {}: {} selected vectors cannot be split into {} shards", shard.text(), index,
                            shard.count));
  }
  return mine;
}

}  // namespace ifcert::conformance
