#include "conformance/fuzz/fuzz_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ifcert::conformance {
namespace {

using generator::Manner;
using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

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

SeedCases cases_with_relations(std::uint64_t seed, Format format) {
  return cases_of(seed, format, {.relations = true, .invalid_percent = 0});
}

/// The case whose file is written otherwise, or nullptr.
const FuzzCase* rewritten_case(const SeedCases& all) {
  const FuzzCase& last = all.cases.back();
  return last.kind.starts_with("relation rewritten ") ? &last : nullptr;
}

TEST(ModelsOfASeed, AreAlsoWrittenOtherwiseAndExpectTheSame) {
  for (const Format format : {Format::onnx, Format::openvino, Format::tflite}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const SeedCases all = cases_with_relations(seed, format);
      EXPECT_THAT(all.troubles, IsEmpty()) << seed;
      const FuzzCase* rewritten = rewritten_case(all);
      ASSERT_NE(rewritten, nullptr) << seed;
      EXPECT_EQ(rewritten->vector.summary.steps, all.cases.front().vector.summary.steps) << seed;
      EXPECT_NE(rewritten->vector.files.bytes, all.cases.front().vector.files.bytes) << seed;
    }
  }
}

TEST(ModelsOfASeed, AreWrittenOtherwiseInTheSameWayEachTime) {
  const SeedCases all = cases_with_relations(7, Format::onnx);
  const FuzzCase again = case_of(7, Format::onnx, rewritten_case(all)->kind);
  EXPECT_EQ(again.vector.files.bytes, rewritten_case(all)->vector.files.bytes);
  EXPECT_EQ(again.rewritings, rewritten_case(all)->rewritings);
}

TEST(RewritingChains, LeaveOutWhatCannotBeMade) {
  const Vector vector = vector_in(Manner::in_turn);
  const Rewriting* producer = find_rewriting("onnx", "producer-changed");
  const Rewriting* edges = find_rewriting("openvino", "edges-reversed");
  EXPECT_FALSE(rewritten_vector(vector, {edges}).has_value());
  EXPECT_EQ(rewritten_vector(vector, {edges, producer})->files.bytes, rewritten_by(*producer, vector.files).bytes);
}

}  // namespace
}  // namespace ifcert::conformance
