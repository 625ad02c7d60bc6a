// Failures of many seeds become one finding for each cause and form.
#include "conformance/fuzz/folding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

FuzzFailure failure(std::uint64_t seed, const std::string& cause, const std::string& kind = "model") {
  return {seed, "onnx", kind, "FAIL (wrongly-refused)", cause};
}

std::map<std::uint64_t, SeedOutcome> outcomes(const std::vector<FuzzFailure>& failures) {
  std::map<std::uint64_t, SeedOutcome> all;
  for (const FuzzFailure& each : failures) all[each.seed].failures.push_back(each);
  return all;
}

/// Alone in a fresh process, the failure of the seed has this cause, and its smallest model this form.
void settle(FuzzExamples& examples, const FuzzFailure& first, const std::string& cause, const std::string& form,
            std::size_t nodes) {
  FuzzExample example;
  example.failure = first;
  example.failure.cause = cause;
  example.form = form;
  example.nodes = nodes;
  examples[key_of(first)] = example;
}

TEST(Folding, FailuresWithOneCauseAreAGroupInTheOrderOfTheirSeeds) {
  const auto all = outcomes({failure(3, "no type"), failure(1, "no type"), failure(2, "no shape")});
  const auto groups = grouped_by_cause(all);
  ASSERT_EQ(groups.size(), 2U);
  ASSERT_EQ(groups[0].size(), 2U);
  EXPECT_EQ(groups[0][0]->seed, 1U);
  EXPECT_EQ(groups[1][0]->seed, 2U);
}

TEST(Folding, AnIllegalModelIsNotGroupedWithALegalOne) {
  const auto all = outcomes({failure(1, "no type"), failure(2, "no type", "fault one-branch")});
  EXPECT_EQ(grouped_by_cause(all).size(), 2U);
}

TEST(Folding, TheSmallestExampleStandsForAllOfItsForm) {
  const auto all = outcomes({failure(1, "no type"), failure(2, "no type"), failure(3, "no type")});
  FuzzExamples examples;
  settle(examples, failure(1, "no type"), "no type", "If", 4);
  settle(examples, failure(2, "no type"), "no type", "If", 2);
  const auto findings = folded(grouped_by_cause(all), examples);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].example.nodes, 2U);
  EXPECT_THAT(findings[0].seeds, testing::ElementsAre(1, 2));
  EXPECT_EQ(findings[0].failures, 3U);
}

TEST(Folding, GroupsThatTurnOutToHaveOneCauseAreCountedTogether) {
  const auto all = outcomes({failure(1, "no type"), failure(2, "no type"), failure(3, "no shape")});
  FuzzExamples examples;
  settle(examples, failure(1, "no type"), "no type", "If", 4);
  settle(examples, failure(3, "no shape"), "no type", "If", 4);
  const auto findings = folded(grouped_by_cause(all), examples);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].failures, 3U);
}

TEST(Folding, FormsOfOneCauseAreFindingsOfTheirOwn) {
  const auto all = outcomes({failure(1, "no type"), failure(2, "no type")});
  FuzzExamples examples;
  settle(examples, failure(1, "no type"), "no type", "If", 1);
  settle(examples, failure(2, "no type"), "no type", "Loop", 1);
  EXPECT_EQ(folded(grouped_by_cause(all), examples).size(), 2U);
}

}  // namespace
}  // namespace ifcert::conformance
