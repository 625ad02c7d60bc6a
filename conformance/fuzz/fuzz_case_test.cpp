#include "conformance/fuzz/fuzz_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ifcert::conformance {
namespace {

using generator::Manner;
using nlohmann::json;
using testing::ElementsAre;

/// The vector of a generated model of three runs, in that manner.
Vector vector_in(Manner manner) {
  const generator::Generated made = generator::generate(0);
  return vector_of("v", generator::computed(made.model, "model.onnx", made.runs), made.runs, manner);
}

std::vector<std::string> kinds_of(const json& steps) {
  std::vector<std::string> kinds;
  for (const json& step : steps) kinds.push_back(step.begin().key());
  return kinds;
}

TEST(VectorOfAModel, RunsOneAfterTheOther) {
  const Vector vector = vector_in(Manner::in_turn);
  EXPECT_THAT(kinds_of(vector.summary.steps), ElementsAre("load", "run", "run", "run"));
}

TEST(VectorOfAModel, ReadsHeldResultsAgainAfterTheLastRun) {
  const Vector vector = vector_in(Manner::held);
  const json& steps = vector.summary.steps;
  EXPECT_THAT(kinds_of(steps), ElementsAre("load", "run", "run", "run", "reread", "reread"));
  EXPECT_TRUE(steps[1]["run"]["hold"]);
  EXPECT_FALSE(steps[3]["run"].contains("hold"));
  EXPECT_EQ(steps[4]["reread"]["step"], 1);
  EXPECT_EQ(steps[5]["reread"]["step"], 2);
  EXPECT_EQ(steps[5]["reread"]["expect"], steps[2]["run"]["expect"]);
  EXPECT_EQ(json(vector.needs).back(), "hold");
}

TEST(VectorOfAModel, RunsAllAtOnce) {
  const Vector vector = vector_in(Manner::concurrent);
  const json& steps = vector.summary.steps;
  EXPECT_THAT(kinds_of(steps), ElementsAre("load", "concurrent"));
  EXPECT_EQ(steps[1]["concurrent"]["runs"].size(), 3U);
  EXPECT_EQ(json(vector.needs).back(), "threads");
}

}  // namespace
}  // namespace ifcert::conformance
