#include "conformance/report/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "conformance/report/difference.hpp"
#include "conformance/report/difference_text.hpp"
#include "conformance/results/counts.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

/// Rule → in each release, how many of its vectors pass and how many there are.
using PassesOfRules = std::map<std::string, std::vector<std::string>>;

PassesOfRules passes_of_rules(std::span<const Release> releases) {
  PassesOfRules rules;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
    for (const Result& result : releases[i].certification.results) {
      auto& [passes, all] = counts[result.rule];
      if (result.verdict == Verdict::not_if) continue;
      if (result.verdict == Verdict::pass) ++passes;
      ++all;
    }
    for (const auto& [rule, count] : counts) {
      auto& cells = rules[rule];
      cells.resize(releases.size());
      cells[i] = fmt::format("{}/{}", count.first, count.second);
    }
  }
  return rules;
}

bool changes(const std::vector<std::string>& cells) {
  return std::ranges::adjacent_find(cells, std::ranges::not_equal_to()) != cells.end();
}

std::vector<CertificationDifference> changes_of(std::span<const Release> releases) {
  std::vector<CertificationDifference> all;
  for (std::size_t i = 1; i < releases.size(); ++i)
    all.push_back(difference(releases[i - 1].certification, releases[i].certification));
  return all;
}

}  // namespace

std::string history_text(std::span<const Release> releases) {
  std::string text;
  for (const CertificationDifference& change : changes_of(releases)) text += difference_text(change);
  return text;
}

std::string history_markdown(const std::string& adapter, std::span<const Release> releases) {
  std::string text =
      fmt::format("# {}: {} to {}\n\nVectors of each rule that pass; rules without a change are left out.\n\n| rule |",
                  adapter, releases.front().version, releases.back().version);
  for (const Release& release : releases) text += fmt::format(" {} |", release.version);
  text += "\n|---|";
  for (std::size_t i = 0; i < releases.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& [rule, cells] : passes_of_rules(releases)) {
    if (changes(cells)) text += fmt::format("| {} | {} |\n", rule, fmt::join(cells, " | "));
  }
  for (const CertificationDifference& change : changes_of(releases)) text += "\n" + difference_markdown(change);
  return text;
}

ordered_json history_json(const std::string& adapter, std::span<const Release> releases) {
  ordered_json versions = ordered_json::array();
  for (const Release& release : releases) {
    const AdapterIdentity& identity = release.certification.adapters.front();
    versions.push_back({{"version", release.version}, {"reported", identity.version}});
  }
  ordered_json rules = ordered_json::object();
  for (const auto& [rule, cells] : passes_of_rules(releases)) rules[rule] = cells;
  ordered_json all = ordered_json::array();
  for (const CertificationDifference& change : changes_of(releases)) all.push_back(difference_json(change));
  return {{"history", 1},
          {"adapter", adapter},
          {"versions", std::move(versions)},
          {"passes", std::move(rules)},
          {"changes", std::move(all)}};
}

}  // namespace ifcert::conformance
