#include "conformance/smoke.hpp"

#include <gmock/gmock.h>

#include "conformance/test_project.hpp"

namespace ifcert::conformance {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using StepOutcome = SmokeStep::Outcome;

class SmokeTest : public testing::Test {
 protected:
  std::vector<SmokeStep> smoked(const std::string& script) const {
    const std::vector<std::string> ids{"onnx/test/negate/b-trap", "onnx/test/refuse/sound", "onnx/test/refuse/faulty"};
    const Limits limits{.message = milliseconds(1000), .start = milliseconds(20000)};
    return smoke(project.project(), project.adapter(script), read_suite(project.project()), ids, limits);
  }

  /// The failed steps, and whose fault they are.
  std::vector<std::pair<std::string, StepOutcome>> faults(const std::string& script) const {
    std::vector<std::pair<std::string, StepOutcome>> found;
    for (const SmokeStep& step : smoked(script)) {
      if (step.outcome != StepOutcome::ok) found.emplace_back(step.said, step.outcome);
    }
    return found;
  }

  TestProject project;
};

testing::Matcher<std::pair<std::string, StepOutcome>> blamed(StepOutcome who, const std::string& part) {
  return testing::Pair(HasSubstr(part), who);
}

TEST(SmokeVectors, AreOfTheSystemsOfTheAdapter) {
  using testing::Each;
  using testing::StartsWith;
  const std::vector<std::string> onnx{"onnx"};
  const std::vector<std::string> openvino{"openvino"};
  const std::vector<std::string> tflite{"tflite"};
  const std::vector<std::string> both{"onnx", "openvino"};
  EXPECT_THAT(smoke_vectors(onnx), Each(StartsWith("onnx/")));
  EXPECT_THAT(smoke_vectors(openvino), Each(StartsWith("openvino/")));
  EXPECT_THAT(smoke_vectors(tflite), Each(StartsWith("tflite/")));
  EXPECT_EQ(smoke_vectors(onnx).size(), smoke_vectors(openvino).size());
  EXPECT_EQ(smoke_vectors(onnx).size(), smoke_vectors(tflite).size());
  EXPECT_EQ(smoke_vectors(both).size(), smoke_vectors(onnx).size() + smoke_vectors(openvino).size());
}

TEST_F(SmokeTest, FindsNothingInAnHonestAdapter) {
  EXPECT_THAT(faults("honest"), ElementsAre());
  EXPECT_EQ(smoked("honest").size(), 9U);
}

TEST_F(SmokeTest, BlamesTheAdapterForTheProtocol) {
  EXPECT_THAT(faults("wrong_id"), testing::Contains(blamed(StepOutcome::adapter, "wrong id")));
  EXPECT_THAT(faults("another_kind"), testing::Contains(blamed(StepOutcome::adapter, "wrong kind")));
  EXPECT_THAT(faults("garbage"), testing::Contains(blamed(StepOutcome::adapter, "print to standard output?")));
  EXPECT_THAT(faults("too_few_runs"), ElementsAre(blamed(StepOutcome::adapter, "3 concurrent runs")));
  EXPECT_THAT(faults("bad_farewell"), ElementsAre(blamed(StepOutcome::adapter, "ended with exit code 5")));
  EXPECT_THAT(faults("another_version"), ElementsAre(blamed(StepOutcome::adapter, "version '2.0'")));
}

TEST_F(SmokeTest, BlamesTheRuntimeForItsAnswers) {
  EXPECT_THAT(faults("accept_everything"), ElementsAre(blamed(StepOutcome::runtime, "LENIENT"),
                                                       blamed(StepOutcome::runtime, "no model at all was loaded")));
  EXPECT_THAT(faults("echo"), testing::Contains(blamed(StepOutcome::runtime, "FAIL (wrong-value)")));
  EXPECT_THAT(faults("crash"), testing::Contains(blamed(StepOutcome::runtime, "signal 11")));
  EXPECT_THAT(faults("hang"), testing::Contains(blamed(StepOutcome::runtime, "no answer within 1 s")));
  EXPECT_THAT(faults("overwrites_held"), ElementsAre());
  EXPECT_THAT(faults("refuse_everything"), testing::Contains(blamed(StepOutcome::runtime, "wrongly-refused")));
}

TEST_F(SmokeTest, QuotesTheRuntimesRefusal) {
  EXPECT_THAT(
      faults("refuses_the_trap"),
      testing::Contains(blamed(StepOutcome::runtime, "expected it to load; the runtime's message: not this one")));
}

TEST_F(SmokeTest, BlamesTheAdapterThatCallsADamagedFileUnsupported) {
  EXPECT_THAT(faults("unsupported_when_damaged"),
              testing::Contains(blamed(StepOutcome::adapter, "a damaged file was answered unsupported")));
}

TEST_F(SmokeTest, StartsTheAdapterWithTheVariablesThatItsManifestSets) {
  Adapter adapter = project.adapter("tells_the_environment");
  adapter.env = {{"IFCERT_SECRET", "set"}};
  const std::vector<std::string> ids{"onnx/test/negate/b-trap"};
  const auto steps = smoke(project.project(), adapter, read_suite(project.project()), ids, {});
  EXPECT_THAT(steps.at(1).said, HasSubstr("in its own: True"));
}

TEST_F(SmokeTest, GroupsTheFailedStepsByCause) {
  const std::vector<SmokeStep> steps = smoked("refuse_everything");
  const auto causes = smoke_causes(steps);
  ASSERT_FALSE(causes.empty());
  EXPECT_GT(causes.front().size(), 1U);
  std::size_t sum = 0;
  for (const auto& cause : causes) sum += cause.size();
  EXPECT_EQ(sum, faults("refuse_everything").size());
  EXPECT_THAT(smoke_causes(smoked("honest")), ElementsAre());
}

TEST_F(SmokeTest, ReportsWhatWasNotTried) {
  EXPECT_THAT(faults("neither_threads_nor_holds"),
              ElementsAre(blamed(StepOutcome::not_declared, "hello does not declare 'hold'"),
                          blamed(StepOutcome::not_declared, "hello does not declare 'threads'")));
}

}  // namespace
}  // namespace ifcert::conformance
