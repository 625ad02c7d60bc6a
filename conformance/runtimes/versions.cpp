#include "conformance/runtimes/versions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <regex>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

bool is_released(std::string_view version) {
  return !version.empty() && version.front() != '.' && version.back() != '.' &&
         version.find("..") == std::string_view::npos &&
         version.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// 1.22.0 → 1, 22, 0; what is not a number counts as 0.
std::vector<int> parts_of(std::string_view version) {
  std::vector<int> numbers;
  while (!version.empty()) {
    const std::string_view part = version.substr(0, version.find('.'));
    int number = 0;
    std::from_chars(part.data(), part.data() + part.size(), number);
    numbers.push_back(number);
    version.remove_prefix(std::min(part.size() + 1, version.size()));
  }
  return numbers;
}

/// The name of the package alone: without its version, and with its extras.
std::string package_of(const std::string& requirement) {
  return requirement.substr(0, requirement.find("=="));
}

}  // namespace

VersionedName split_version(std::string_view text) {
  const std::size_t at = text.rfind('@');
  const std::size_t slash = text.rfind('/');
  if (at == std::string_view::npos || at == 0 || (slash != std::string_view::npos && slash > at))
    return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

void require_version(std::string_view version) {
  if (!std::regex_match(std::string(version), std::regex("[0-9][0-9A-Za-z.+!_-]*")))
    throw Error(fmt::format("invalid version '{}'; expected a number, such as 1.22.0", version));
}

std::vector<std::string> requirements_of(std::span<const std::string> requirements, const std::string& pinned,
                                         const std::string& version, std::span<const OlderRequirements> older) {
  const auto own =
      std::ranges::find_if(requirements, [&pinned](const std::string& each) { return each.ends_with("==" + pinned); });
  if (own == requirements.end()) {
    throw Error(fmt::format("only its pinned version {} can be installed: no Python package has this version", pinned));
  }
  std::vector<std::string> result{package_of(*own) + "==" + version};
  for (const std::string& each : requirements) {
    if (&each != &*own) result.push_back(package_of(each));
  }
  for (const OlderRequirements& each : older) {
    if (is_before(version, each.below)) result.insert(result.end(), each.python.begin(), each.python.end());
  }
  return result;
}

bool is_before(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(parts_of(a), parts_of(b));
}

VersionRange range_from(std::string_view text) {
  const std::size_t at = text.find("..");
  const VersionRange range{std::string(text.substr(0, at)),
                           at == std::string_view::npos ? "" : std::string(text.substr(at + 2))};
  if (!is_released(range.from) || !is_released(range.to) || is_before(range.to, range.from))
    throw Error(fmt::format("invalid range of versions '{}'; expected FROM..TO, such as 1.16..1.31", text));
  return range;
}

std::vector<std::string> versions_in(std::span<const std::string> all, const VersionRange& range) {
  std::vector<std::string> chosen;
  for (const std::string& version : all) {
    const bool is_last = version == range.to || version.starts_with(range.to + ".");
    if (is_released(version) && !is_before(version, range.from) && (is_last || is_before(version, range.to)))
      chosen.push_back(version);
  }
  if (chosen.empty())
    throw Error(
        fmt::format("no released version from {} to {}; there are: {}", range.from, range.to, fmt::join(all, ", ")));
  std::ranges::sort(chosen, is_before);
  return chosen;
}

std::vector<std::string> versions_listed(std::string_view text) {
  constexpr std::string_view heading = "Available versions: ";
  const std::size_t at = text.find(heading);
  if (at == std::string_view::npos) return {};
  const std::string_view line = text.substr(at + heading.size(), text.find('\n', at) - at - heading.size());
  std::vector<std::string> versions;
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t end = std::min(line.find(", ", from), line.size());
    versions.emplace_back(line.substr(from, end - from));
    from = end + 2;
  }
  return versions;
}

}  // namespace ifcert::conformance
