#include "conformance/fuzz/folding.hpp"

#include <fmt/format.h>

#include <set>

namespace ifcert::conformance {
namespace {

std::string group_name(const FuzzFailure& failure) {
  const bool is_illegal = failure.kind.starts_with("fault ");
  return fmt::format("{} {} {} {}", failure.format, is_illegal ? "illegal" : "legal", failure.verdict, failure.cause);
}

std::string finding_name(const FuzzExample& example) {
  return fmt::format("{} {} {} {}", example.failure.format, example.unstable.empty() ? "" : "unstable",
                     example.failure.cause, example.form);
}

void add(const FuzzExample& example, FuzzFinding& finding) {
  finding.seeds.push_back(example.failure.seed);
  if (example.nodes < finding.example.nodes) finding.example = example;
}

}  // namespace

FailureKey key_of(const FuzzFailure& failure) {
  return {failure.seed, failure.kind};
}

std::vector<FailureGroup> grouped_by_cause(const std::map<std::uint64_t, SeedOutcome>& outcomes) {
  std::vector<FailureGroup> groups;
  std::map<std::string, std::size_t> indices;
  for (const auto& [seed, outcome] : outcomes) {
    for (const FuzzFailure& failure : outcome.failures) {
      const auto [entry, is_new] = indices.emplace(group_name(failure), groups.size());
      if (is_new) groups.emplace_back();
      groups[entry->second].push_back(&failure);
    }
  }
  return groups;
}

std::vector<FuzzFinding> folded(const std::vector<FailureGroup>& groups, const FuzzExamples& examples) {
  std::vector<FuzzFinding> findings;
  std::map<std::string, std::size_t> indices;
  for (const FailureGroup& group : groups) {
    std::set<std::size_t> of_this_group;
    for (const FuzzFailure* failure : group) {
      const auto found = examples.find(key_of(*failure));
      if (found == examples.end()) continue;
      const auto [entry, is_new] = indices.emplace(finding_name(found->second), findings.size());
      if (is_new) findings.push_back({found->second, {}, 0});
      FuzzFinding& finding = findings[entry->second];
      if (of_this_group.insert(entry->second).second) finding.failures += group.size();
      add(found->second, finding);
    }
  }
  return findings;
}

}  // namespace ifcert::conformance
