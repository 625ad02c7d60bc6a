#include "conformance/certify/retries.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;

Result failure(const char* reason, Fault fault = Fault::wrongly_refused) {
  Result result;
  result.verdict = Verdict::fail;
  result.fault = fault;
  result.phase = "load";
  result.reason = reason;
  return result;
}

Suspect suspect(std::size_t vector, const char* reason) {
  Trial trial;
  trial.result = failure(reason);
  return {vector, {1}, {trial}};
}

std::vector<std::size_t> vectors_of(const Batch& batch) {
  std::vector<std::size_t> vectors;
  for (const Suspect& one : batch) vectors.push_back(one.vector);
  return vectors;
}

TEST(Suspects, HaveALaterControlOfTheirRuleWhereThereIsOne) {
  const std::vector<Probe> eligible{{1, "a"}, {4, "b"}, {6, "a"}, {9, "b"}};
  EXPECT_EQ(probe_of(3, "a", eligible), 6U);
  EXPECT_EQ(probe_of(5, "c", eligible), 6U) << "the next of any rule";
  EXPECT_EQ(probe_of(5, "b", eligible), 9U);
  EXPECT_EQ(probe_of(10, "a", eligible), 9U) << "the last";
  EXPECT_EQ(probe_of(3, "a", {}), std::nullopt);
}

TEST(Suspects, AreNotTheirOwnControlsWhereAnotherRoundOfThemPassed) {
  EXPECT_EQ(probe_of(4, "b", {{1, "a"}, {4, "b"}, {9, "b"}}), 9U);
  EXPECT_EQ(probe_of(9, "b", {{1, "a"}, {4, "b"}, {9, "b"}}), 4U);
  EXPECT_EQ(probe_of(9, "b", {{9, "b"}}), std::nullopt);
}

TEST(Suspects, WithTheSameCauseShareAProcessTheLastOneFirst) {
  const std::vector<Batch> batches = batches_of({suspect(0, "a 1"), suspect(1, "b"), suspect(2, "a 2")});
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_THAT(vectors_of(batches[0]), ElementsAre(2, 0));
  EXPECT_THAT(vectors_of(batches[1]), ElementsAre(1));
}

TEST(Suspects, ShareNoProcessWithMoreThan31Others) {
  std::vector<Suspect> many;
  for (std::size_t i = 0; i < 65; ++i) many.push_back(suspect(i, "a"));
  const std::vector<Batch> batches = batches_of(std::move(many));
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[0].size(), 32U);
  EXPECT_THAT(vectors_of(batches[2]), ElementsAre(0));
}

TEST(Suspects, WithAnotherResultAreUnstable) {
  Trial trial;
  trial.result = failure("no");
  Result crash;
  crash.verdict = Verdict::crash;
  crash.signal = 11;
  crash.reason = "gone";
  make_unstable(trial, crash, true);
  EXPECT_EQ(verdict_line(trial.result), "FAIL (unstable)");
  EXPECT_EQ(trial.result.reason,
            "in one process FAIL (wrongly-refused): no; in a fresh process CRASH (signal 11): gone");
}

}  // namespace
}  // namespace ifcert::conformance
