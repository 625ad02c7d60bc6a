// Many failures become few findings: those with the same cause, and whose smallest models have the same form, are one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/fuzz/fuzz_example.hpp"
#include "conformance/fuzz/fuzz_journal.hpp"

namespace ifcert::conformance {

/// Failures with one cause, in the order of their seeds.
using FailureGroup = std::vector<const FuzzFailure*>;

using FailureKey = std::pair<std::uint64_t, std::string>;  // seed, kind
FailureKey key_of(const FuzzFailure& failure);

/// Failures that were tried again and made smaller.
using FuzzExamples = std::map<FailureKey, FuzzExample>;

/// Examples with the same cause and the same form.
struct FuzzFinding {
  FuzzExample example;               // the smallest of them
  std::vector<std::uint64_t> seeds;  // of all of them
  std::size_t failures = 0;          // cases that failed for the causes of these, made smaller or not
};

/// The groups refer to the outcomes. Illegal and legal models are never in one group.
std::vector<FailureGroup> grouped_by_cause(const std::map<std::uint64_t, SeedOutcome>& outcomes);

/// In the order of the groups. In a fresh process the examples of several groups may turn out to have one cause.
std::vector<FuzzFinding> folded(const std::vector<FailureGroup>& groups, const FuzzExamples& examples);

}  // namespace ifcert::conformance
