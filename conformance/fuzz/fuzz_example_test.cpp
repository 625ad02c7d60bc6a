#include "conformance/fuzz/fuzz_example.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

Result refused(const std::string& message) {
  Result result;
  result.verdict = Verdict::fail;
  result.fault = Fault::wrongly_refused;
  result.reason = "the model was refused; it should have loaded";
  result.phase = "load";
  result.got = {{"refused", {{"message", message}}}};
  return result;
}

Result wrong(Fault fault, const std::string& reason) {
  Result result;
  result.verdict = Verdict::fail;
  result.fault = fault;
  result.reason = reason;
  result.phase = "run";
  return result;
}

Result crash(const std::string& evidence) {
  Result result;
  result.verdict = Verdict::crash;
  result.signal = 6;
  result.reason = "the process was killed by signal 6 (Aborted) before it answered";
  result.evidence = evidence;
  return result;
}

TEST(Cause, IsTheInnermostPartOfAMessage) {
  EXPECT_EQ(cause_of_failure(refused("node If_1: node Loop_2: input (x1) has no type")),
            cause_of_failure(refused("node Loop_7: input (y9) has no type")));
  EXPECT_NE(cause_of_failure(refused("node If_1: input (x1) has no type")),
            cause_of_failure(refused("node If_1: input (x1) has no shape")));
}

TEST(Cause, IsTheSameInEachOfSeveralConcurrentRuns) {
  Result alone = refused("input (x1) has no type");
  Result concurrent = alone;
  alone.reason = "the run was refused";
  concurrent.reason = "concurrent run 2: the run was refused";
  EXPECT_EQ(cause_of_failure(alone), cause_of_failure(concurrent));
}

TEST(Cause, OfSeveralLinesIsInTheLast) {
  EXPECT_EQ(cause_of_failure(refused("Check failed at a.cpp:12:\nshapes differ.\n")),
            cause_of_failure(refused("While validating node 7:\nshapes differ.\n")));
}

TEST(Cause, IsInTheFirstOfSeveralSentences) {
  EXPECT_EQ(cause_of_failure(refused("Node number 0 (WHILE) failed to invoke.Node number 3 (IF) failed to invoke.")),
            cause_of_failure(refused("Node number 2 (WHILE) failed to invoke.")));
}

TEST(Cause, OfAWrongValueIsNotTheValue) {
  const Result one = wrong(Fault::wrong_value, "output y: element 0 is 3, expected 4 (1 of 2 elements differs)");
  const Result other = wrong(Fault::wrong_value, "output z: element 5 is 1, expected 2 (3 of 9 elements differ)");
  EXPECT_EQ(cause_of_failure(one), cause_of_failure(other));
  EXPECT_TRUE(shows_the_same(one, other));
  EXPECT_FALSE(shows_the_same(one, wrong(Fault::wrong_shape, "output y: the shape is [1], expected []")));
}

TEST(Cause, OfACrashHasTheLastWords) {
  EXPECT_TRUE(shows_the_same(crash("warning\nassertion 1 failed\n"), crash("assertion 2 failed\n")));
  EXPECT_FALSE(shows_the_same(crash("assertion 1 failed\n"), crash("out of memory\n")));
}

TEST(FuzzExample, IsTheSameAfterItWasStored) {
  FuzzExample example{.failure = {7, "onnx", "relation wrap-in-if", "FAIL (wrongly-refused)", "no type"},
                      .unstable = "",
                      .original = {{.model = "model.onnx", .bytes = {{"model.onnx", std::string("\0\xff", 2)}}},
                                   {{{"load", {{"expect", {{"loaded", nullptr}}}}}}},
                                   refused("no")},
                      .small = std::nullopt,
                      .form = "If"};
  example.small = example.original;
  example.nodes = 3;
  example.complete = true;
  const auto stored = json_of(example);
  EXPECT_EQ(json_of(example_from(nlohmann::json(stored))), stored);
}

}  // namespace
}  // namespace ifcert::conformance
