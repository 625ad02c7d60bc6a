#include "conformance/suite/judge.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const json loaded = {{"loaded", {{"outputs", json::array()}}}};
const json refused = {{"refused", {{"message", "no"}}}};

json outputs(const char* data) {
  const json y{{"kind", "tensor"}, {"type", "int8"}, {"shape", json::array()}, {"data", data}};
  return {{"outputs", json::array({json{{"name", "y"}, {"value", y}}})}};
}

const json one = outputs("AQ==");
const json two_as_outputs = outputs("Ag==");
const json may_load = {{"loaded", json::object()}};
const json must_refuse = {{"refused", json::object()}};

json load(const json& expect) {
  return {{"load", {{"expect", expect}}}};
}
json run(const json& expect) {
  return {{"run", {{"inputs", json::array()}, {"expect", expect}}}};
}
json either(const json& left, const json& right) {
  return {{"either", {left, right}}, {"reason", "the text is silent"}};
}

/// The verdict of a vector whose steps get these answers, and how many of them were used.
struct Outcome {
  Ruling ruling;
  std::size_t answers;
};

Outcome judged_vector(const VectorSummary& vector, const std::vector<json>& answers,
                      const AdapterIdentity& adapter = {}) {
  Judge judge(vector, adapter);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (auto ruling = judge.judge_step(i, answers[i])) return {*ruling, i + 1};
  }
  return {judge.judge_end(), answers.size()};
}

Outcome judged(const json& steps, const std::vector<json>& answers, const AdapterIdentity& adapter = {}) {
  VectorSummary vector;
  vector.axis = Axis::diagnoses;
  vector.steps = steps;
  return judged_vector(vector, answers, adapter);
}

std::string line(const Outcome& outcome) {
  Result result;
  result.verdict = outcome.ruling.verdict;
  result.fault = outcome.ruling.fault;
  return verdict_line(result);
}

AdapterIdentity checker() {
  AdapterIdentity adapter;
  adapter.runs_models = false;
  return adapter;
}

AdapterIdentity declaring(const char* what) {
  AdapterIdentity adapter;
  adapter.unsupported_features = json::array({{{"what", what}, {"why", "narrow"}, {"link", "https://example.org"}}});
  return adapter;
}

json loaded_saying(const json& type, const json& shape) {
  return {{"loaded", {{"outputs", json::array({json{{"name", "y"}, {"type", type}, {"shape", shape}}})}}}};
}

TEST(Declared, MustMatchWhatTheRunReturns) {
  const json vector{load(may_load), run(one)};
  for (const json& said : {loaded_saying("tensor(int8)", json::array()), loaded_saying(nullptr, nullptr),
                           loaded_saying("tensor(int8)", nullptr)}) {
    EXPECT_EQ(line(judged(vector, {said, one})), "PASS") << said;
  }
  const Outcome of_another_type = judged(vector, {loaded_saying("tensor(int16)", nullptr), one});
  EXPECT_EQ(line(of_another_type), "FAIL (wrong-type)");
  EXPECT_EQ(of_another_type.ruling.reason, "output y: the load declared tensor(int16), the run returned tensor(int8)");
  const Outcome of_another_shape = judged(vector, {loaded_saying(nullptr, json::array({"n"})), one});
  EXPECT_EQ(line(of_another_shape), "FAIL (wrong-shape)");
  EXPECT_EQ(of_another_shape.ruling.reason, "output y: the load declared the shape [\"n\"], the run returned []");
}

TEST(Declared, DimsMayBeANameOrNothing) {
  const auto row = [](const char* data) {
    json outputs_of_a_row = outputs(data);
    outputs_of_a_row["outputs"][0]["value"]["shape"] = json::array({1, 1});
    return outputs_of_a_row;
  };
  const json vector{load(may_load), run(row("AQ=="))};
  EXPECT_EQ(line(judged(vector, {loaded_saying(nullptr, json::array({"n", nullptr})), row("AQ==")})), "PASS");
  EXPECT_EQ(line(judged(vector, {loaded_saying(nullptr, json::array({1, 1})), row("AQ==")})), "PASS");
  EXPECT_EQ(line(judged(vector, {loaded_saying(nullptr, json::array({1, 2})), row("AQ==")})), "FAIL (wrong-shape)");
}

TEST(Declared, IsNotComparedWhereTheTextsLeaveTheModelOpen) {
  const json vector{load(either(may_load, must_refuse)), run(either(one, must_refuse))};
  EXPECT_EQ(line(judged(vector, {loaded_saying("tensor(int16)", nullptr), one})), "PASS");
}

TEST(Judge, PassesExpectedOutputs) {
  EXPECT_EQ(line(judged({load(may_load), run(one), run(two_as_outputs)}, {loaded, one, two_as_outputs})), "PASS");
  EXPECT_FALSE(judged({load(may_load), run(one)}, {loaded, one}).ruling.by_refusal);
}

TEST(Judge, StopsAtTheFirstRunThatIsWrong) {
  const Outcome outcome = judged({load(may_load), run(one), run(one)}, {loaded, two_as_outputs, one});
  EXPECT_EQ(line(outcome), "FAIL (wrong-value)");
  EXPECT_EQ(outcome.answers, 2U);
}

TEST(Judge, FailsARefusalOfALegalModel) {
  EXPECT_EQ(line(judged({load(may_load), run(one)}, {refused})), "FAIL (wrongly-refused)");
  EXPECT_EQ(line(judged({load(may_load), run(one)}, {loaded, refused})), "FAIL (wrongly-refused)");
}

TEST(Judge, AcceptsARefusalInAnyPhase) {
  const json steps{load(must_refuse), run(must_refuse), run(must_refuse)};
  for (const auto& answers : std::vector<std::vector<json>>{{refused}, {loaded, refused}, {loaded, one, refused}}) {
    const Outcome outcome = judged(steps, answers);
    EXPECT_EQ(line(outcome), "PASS");
    EXPECT_TRUE(outcome.ruling.by_refusal);
  }
  EXPECT_EQ(line(judged(steps, {loaded, one, one})), "LENIENT");
}

TEST(Judge, FailsAnAcceptanceWhereATextObligesTheImplementationToRefuse) {
  VectorSummary vector;
  vector.axis = Axis::diagnoses;
  vector.steps = {load(must_refuse), run(must_refuse)};
  EXPECT_EQ(line(judged_vector(vector, {loaded, one})), "LENIENT");
  vector.obliged_by = {{"source", "OpenVINO If-8"}, {"clause", "should not work"}};
  const Outcome accepted = judged_vector(vector, {loaded, one});
  EXPECT_EQ(line(accepted), "FAIL (wrongly-accepted)");
  EXPECT_EQ(accepted.ruling.reason,
            "every step was accepted; the model should have been refused; OpenVINO If-8: should not work");
}

TEST(Judge, ObligesNoCheckerToRefuse) {
  VectorSummary vector;
  vector.axis = Axis::diagnoses;
  vector.steps = {load(must_refuse), run(must_refuse)};
  vector.obliged_by = {{"source", "OpenVINO If-8"}, {"clause", "should not work"}};
  EXPECT_EQ(line(judged_vector(vector, {loaded}, checker())), "LENIENT");
}

TEST(Judge, FailsAnAcceptanceWhereAnOpenVectorExpectsOnlyARefusal) {
  VectorSummary vector;
  vector.axis = Axis::open;
  vector.steps = {load(may_load), run(must_refuse)};
  EXPECT_EQ(line(judged_vector(vector, {loaded, one})), "FAIL (wrongly-accepted)");
}

TEST(Judge, ExpectsEachRunToBeRefusedOnceTheModelIsLegal) {
  const json steps{load(may_load), run(must_refuse), run(one)};
  EXPECT_EQ(line(judged(steps, {loaded, refused, one})), "PASS");
  EXPECT_EQ(line(judged(steps, {loaded, two_as_outputs, one})), "LENIENT");
  EXPECT_EQ(line(judged(steps, {loaded, refused, two_as_outputs})), "FAIL (wrong-value)");
}

TEST(Judge, JudgesTheRunsAfterOneThatShouldHaveBeenRefused) {
  const json steps{load(may_load), run(must_refuse), run(one)};
  EXPECT_EQ(line(judged(steps, {loaded, one, two_as_outputs})), "FAIL (wrong-value)");
  const Outcome lenient = judged(steps, {loaded, one, one});
  EXPECT_EQ(line(lenient), "LENIENT");
  EXPECT_EQ(lenient.ruling.step, 1U);
  EXPECT_EQ(line(judged(steps, {loaded, refused, two_as_outputs})), "FAIL (wrong-value)");
}

TEST(Judge, NamesTheStepThatDecided) {
  const json steps{load(may_load), run(one), run(must_refuse), run(must_refuse), run(one)};
  EXPECT_EQ(judged(steps, {loaded, one, refused, refused, one}).ruling.step, 2U) << "the first refusal";
  EXPECT_EQ(judged(steps, {loaded, one, refused, refused, two_as_outputs}).ruling.step, 4U);
  EXPECT_EQ(judged({load(may_load), run(one)}, {loaded, one}).ruling.step, std::nullopt);
  const json faulty{load(must_refuse), run(must_refuse), run(must_refuse)};
  EXPECT_EQ(judged(faulty, {refused}).ruling.step, 0U);
  EXPECT_EQ(judged(faulty, {loaded, refused}).ruling.step, 1U);
  EXPECT_EQ(judged(faulty, {loaded, one, one}).ruling.step, 2U);
}

TEST(Judge, AcceptsAnyOfTheNamedOutcomesAndNoOther) {
  const json steps{load(either(may_load, must_refuse)), run(either(one, must_refuse))};
  EXPECT_EQ(line(judged(steps, {refused})), "PASS");
  EXPECT_EQ(line(judged(steps, {loaded, one})), "PASS");
  EXPECT_EQ(line(judged(steps, {loaded, refused})), "PASS");
  EXPECT_EQ(line(judged(steps, {loaded, two_as_outputs})), "FAIL (wrong-value)");
  EXPECT_EQ(line(judged({load(may_load), run(either(one, two_as_outputs))}, {loaded, two_as_outputs})), "PASS");
}

TEST(Judge, FailsAWrongValueWhereAValueOrARefusalIsExpected) {
  EXPECT_EQ(line(judged({load(must_refuse), run(either(one, must_refuse))}, {loaded, two_as_outputs})),
            "FAIL (wrong-value)");
}

TEST(Judge, BlamesTheAdapterForAValueThatContradictsItself) {
  EXPECT_EQ(line(judged({load(may_load), run(one)}, {loaded, outputs("AQI=")})), "ADAPTER");
}

TEST(Judge, AcceptsUnsupportedWhenDeclaredOrWithAStatus) {
  const json steps{load(may_load), run(one)};
  const json bare = {{"unsupported", {{"what", "type:int8"}, {"message", "m"}}}};
  const json with_status = {
      {"unsupported",
       {{"what", "type:int8"}, {"message", "no kernel for it\nat node 3"}, {"status", "NOT_IMPLEMENTED"}}}};
  EXPECT_EQ(line(judged(steps, {bare})), "FAIL (wrongly-refused)");
  EXPECT_THAT(judged(steps, {bare}).ruling.reason, HasSubstr("neither hello nor a runtime status declares it"));
  EXPECT_EQ(line(judged(steps, {with_status})), "UNSUPPORTED");
  EXPECT_EQ(judged(steps, {with_status}).ruling.reason, "type:int8: NOT_IMPLEMENTED: no kernel for it");
  EXPECT_EQ(line(judged(steps, {bare}, declaring("type:int8"))), "UNSUPPORTED");
  EXPECT_EQ(judged(steps, {bare}, declaring("type:int8")).ruling.link, "https://example.org");
}

TEST(Judge, SendsNothingThatNeedsAFeatureDeclaredMissing) {
  EXPECT_EQ(judge_needs({"opset:13", "type:int8"}, declaring("type:int8"))->verdict, Verdict::unsupported);
  EXPECT_FALSE(judge_needs({"opset:13", "type:int8"}, declaring("type:int4")));
}

json concurrent(const std::vector<json>& expected) {
  json runs = json::array();
  for (const json& expect : expected) runs.push_back({{"inputs", json::array()}, {"expect", expect}});
  return {{"concurrent", {{"runs", runs}}}};
}

json runs(const std::vector<json>& outcomes) {
  return {{"runs", outcomes}};
}

TEST(Judge, ComparesEachConcurrentRunWithItsOwnExpectation) {
  const json steps{load(may_load), concurrent({one, two_as_outputs, must_refuse})};
  const Outcome right = judged(steps, {loaded, runs({one, two_as_outputs, refused})});
  EXPECT_EQ(line(right), "PASS");
  EXPECT_EQ(right.ruling.step, 1U);
  EXPECT_EQ(right.ruling.concurrent_run, 2U) << "the one that was refused";
  const Outcome mixed_up = judged(steps, {loaded, runs({one, one, two_as_outputs})});
  EXPECT_EQ(line(mixed_up), "FAIL (wrong-value)");
  EXPECT_EQ(mixed_up.ruling.reason, "concurrent run 1: output y: the value is 1, expected 2");
  EXPECT_EQ(mixed_up.ruling.concurrent_run, 1U);
  EXPECT_EQ(expected_outcome(steps, 1, 1), two_as_outputs);
  EXPECT_EQ(expected_outcome(steps, 1), nullptr);
  EXPECT_EQ(line(judged(steps, {loaded, runs({one, refused, refused})})), "FAIL (wrongly-refused)");
  EXPECT_EQ(line(judged(steps, {loaded, runs({one, two_as_outputs, two_as_outputs})})), "LENIENT");
}

TEST(Judge, BlamesTheAdapterForAnotherNumberOfConcurrentRuns) {
  const json steps{load(may_load), concurrent({one, two_as_outputs})};
  EXPECT_EQ(line(judged(steps, {loaded, runs({one})})), "ADAPTER");
  EXPECT_EQ(line(judged(steps, {loaded, runs({one, two_as_outputs, one})})), "ADAPTER");
}

TEST(Judge, AcceptsARefusalAmongConcurrentRunsOfAFaultyModel) {
  const json steps{load(must_refuse), concurrent({must_refuse, must_refuse})};
  EXPECT_EQ(line(judged(steps, {loaded, runs({one, refused})})), "PASS");
  EXPECT_EQ(line(judged(steps, {loaded, runs({one, one})})), "LENIENT");
}

TEST(Judge, ReportsThatAHeldOutputChanged) {
  const json steps{load(may_load), run(one), run(two_as_outputs), {{"reread", {{"step", 1}, {"expect", one}}}}};
  EXPECT_EQ(line(judged(steps, {loaded, one, two_as_outputs, one})), "PASS");
  const Outcome changed = judged(steps, {loaded, one, two_as_outputs, two_as_outputs});
  EXPECT_EQ(line(changed), "FAIL (wrong-value)");
  EXPECT_EQ(changed.ruling.reason, "the outputs held since step 1, read again: output y: the value is 2, expected 1");
  EXPECT_EQ(line(judged(steps, {loaded, one, two_as_outputs, refused})), "FAIL (wrongly-refused)");
}

TEST(Judge, UsesThreadsAndHoldOnlyWhereTheyAreDeclared) {
  AdapterIdentity able;
  able.threads = able.holds = true;
  EXPECT_FALSE(judge_needs({"threads", "hold"}, able));
  EXPECT_EQ(judge_needs({"threads"}, {})->verdict, Verdict::unsupported);
  EXPECT_EQ(judge_needs({"threads"}, {})->reason, "hello does not declare 'threads'");
  EXPECT_EQ(judge_needs({"opset:13", "hold"}, {})->reason, "hello does not declare 'hold'");
}

TEST(Judge, JudgesACheckerOnlyByWhetherAModelLoads) {
  EXPECT_EQ(line(judged({load(may_load), run(one)}, {loaded}, checker())), "UNSUPPORTED");
  EXPECT_EQ(line(judged({load(may_load), run(one)}, {refused}, checker())), "FAIL (wrongly-refused)");
  EXPECT_EQ(line(judged({load(must_refuse), run(must_refuse)}, {refused}, checker())), "PASS");
  EXPECT_EQ(line(judged({load(must_refuse), run(must_refuse)}, {loaded}, checker())), "LENIENT");
  EXPECT_EQ(line(judged({load(may_load), run(must_refuse)}, {loaded}, checker())), "UNSUPPORTED");
  EXPECT_EQ(line(judged(json::array({load(may_load)}), {loaded}, checker())), "PASS");
}

}  // namespace
}  // namespace ifcert::conformance
