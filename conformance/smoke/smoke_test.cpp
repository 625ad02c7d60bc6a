#include "conformance/smoke/smoke.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using StepOutcome = SmokeStep::Outcome;

class SmokeTest : public testing::Test {
 protected:
  std::vector<SmokeStep> smoked(const std::string& script) const {
    const std::string trap = "onnx/test/negate/b-trap";
    const std::vector<SmokeCheck> checks{{"trap", trap},
                                         {"refused", "onnx/test/refuse/faulty"},
                                         {"skipped", trap, SmokeForm::skipped},
                                         {"junk", trap, SmokeForm::junk},
                                         {"hold", trap, SmokeForm::held},
                                         {"threads", trap, SmokeForm::concurrent}};
    const Limits limits{.message = script == "hang" ? milliseconds(1000) : patience, .start = patience};
    return smoke(project.project(), project.adapter(script), read_suite(project.project()), checks, limits);
  }

  /// The failed steps, and whose fault they are.
  std::vector<std::pair<std::string, StepOutcome>> faults(const std::string& script) const {
    std::vector<std::pair<std::string, StepOutcome>> found;
    for (const SmokeStep& step : smoked(script)) {
      if (step.outcome != StepOutcome::ok) found.emplace_back(step.reason, step.outcome);
    }
    return found;
  }

  TestProject project;
};

testing::Matcher<std::pair<std::string, StepOutcome>> blamed(StepOutcome who, const std::string& part) {
  return testing::Pair(HasSubstr(part), who);
}

TEST(SmokeChecks, AreOfTheSystemsOfTheAdapterAndHaveNamesOfTheirOwn) {
  const std::vector<std::string> systems{"onnx", "openvino", "tflite"};
  std::size_t sum = 0;
  for (const std::string& system : systems) {
    const std::vector<std::string> one{system};
    const auto checks = smoke_checks(one);
    sum += checks.size();
    EXPECT_GT(checks.size(), 35U);
    for (const SmokeCheck& check : checks) {
      EXPECT_TRUE(check.name.starts_with(system + "/") && check.vector.starts_with(system + "/")) << check.name;
    }
  }
  std::set<std::string> names;
  for (const SmokeCheck& check : smoke_checks(systems)) names.insert(check.name);
  EXPECT_EQ(names.size(), sum);
}

/// Every check can be made of its vector.
TEST(SmokeChecks, HaveVectorsOfTheirForm) {
  const std::vector<std::string> systems{"onnx", "openvino", "tflite"};
  const std::vector<SmokeCheck> checks = smoke_checks(systems);
  std::set<std::string> ids;
  for (const SmokeCheck& check : checks) ids.insert({check.vector, check.before});
  const Suite suite =
      read_suite(find_project(), [&ids](const VectorSummary& vector) { return ids.contains(vector.id); });
  for (const SmokeCheck& check : checks) {
    const Vector* vector = suite.find(check.vector);
    ASSERT_NE(vector, nullptr) << check.vector;
    EXPECT_EQ(vector->unusable, "") << check.vector;
    EXPECT_FALSE(in_form(*vector, check.form).summary.steps.empty()) << check.name;
  }
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
  EXPECT_THAT(faults("bad_farewell"), testing::SizeIs(2));  // bye and end-of-input
  EXPECT_THAT(faults("bad_farewell"), testing::Each(blamed(StepOutcome::adapter, "ended with exit code 5")));
  EXPECT_THAT(faults("another_version"), ElementsAre(blamed(StepOutcome::adapter, "version '2.0'")));
}

TEST_F(SmokeTest, BlamesTheRuntimeForItsAnswers) {
  EXPECT_THAT(faults("accept_everything"),
              ElementsAre(blamed(StepOutcome::not_tried, "LENIENT"),
                          blamed(StepOutcome::not_tried, "the adapter accepted a file that is not a model"),
                          blamed(StepOutcome::runtime, "a damaged model was loaded and run")));
  EXPECT_THAT(faults("echo"), testing::Contains(blamed(StepOutcome::runtime, "FAIL (wrong-value)")));
  EXPECT_THAT(faults("crash"), testing::Contains(blamed(StepOutcome::runtime, "signal 11")));
  EXPECT_THAT(faults("hang"), testing::Contains(blamed(StepOutcome::runtime, "no answer within 1 s")));
  EXPECT_THAT(faults("overwrites_held"), ElementsAre());
  EXPECT_THAT(faults("refuse_everything"), testing::Contains(blamed(StepOutcome::runtime, "wrongly-refused")));
}

TEST_F(SmokeTest, QuotesTheRuntimesRefusal) {
  EXPECT_THAT(
      faults("refuses_the_trap"),
      testing::Contains(blamed(StepOutcome::runtime, "it should have loaded; the runtime's message: not this one")));
}

TEST_F(SmokeTest, BlamesTheAdapterThatCallsADamagedFileUnsupported) {
  EXPECT_THAT(faults("unsupported_when_damaged"),
              testing::Contains(blamed(StepOutcome::adapter, "a damaged file was answered unsupported")));
}

TEST_F(SmokeTest, StartsTheAdapterWithTheVariablesThatItsManifestSets) {
  Adapter adapter = project.adapter("tells_the_environment");
  adapter.env = {{"IFCERT_SECRET", "set"}};
  const std::vector<SmokeCheck> checks{{"trap", "onnx/test/negate/b-trap"}};
  const auto steps = smoke(project.project(), adapter, read_suite(project.project()), checks, {});
  EXPECT_THAT(steps.at(1).reason, HasSubstr("in its own: True"));
}

TEST_F(SmokeTest, GroupsTheFailedStepsByCause) {
  const std::vector<SmokeStep> steps = smoked("refuse_everything");
  const auto causes = smoke_causes(steps);
  ASSERT_FALSE(causes.empty());
  EXPECT_GT(causes.front().size(), 1U);
  std::size_t sum = 0;
  for (const auto& cause : causes) sum += cause.size();
  const auto failed = [](const SmokeStep& step) {
    return step.outcome == StepOutcome::adapter || step.outcome == StepOutcome::runtime;
  };
  EXPECT_EQ(sum, static_cast<std::size_t>(std::ranges::count_if(steps, failed)));
  EXPECT_THAT(smoke_causes(smoked("honest")), ElementsAre());
}

TEST_F(SmokeTest, ReportsWhatWasNotTried) {
  EXPECT_THAT(faults("neither_threads_nor_holds"),
              ElementsAre(blamed(StepOutcome::not_tried, "hello does not declare 'hold'"),
                          blamed(StepOutcome::not_tried, "hello does not declare 'threads'")));
}

/// The checks of vectors of the suite on the adapters that know them.
class SmokeCheckTest : public SmokeTest {
 protected:
  /// The checks that failed, of these and of those that all such adapters know: "NAME: whose fault".
  std::vector<std::string> failed(const std::string& script, std::vector<SmokeCheck> checks = {}) const {
    const std::string unchanged = "onnx/if/value-unchanged/";
    const std::string x = unchanged + "float32-edges";
    const std::string negates = "onnx/if/no-state-between-runs/lengths-grow-and-shrink";
    const std::vector<SmokeCheck> known{{"int4", unchanged + "int4-three-by-five"},
                                        {"edges", x},
                                        {"nul", unchanged + "string-with-nul"},
                                        {"absent", unchanged + "optional-absent"},
                                        {"sequence", unchanged + "sequence-of-strings"},
                                        {"scalar", unchanged + "shape-rank-none-of-float"},
                                        {"no-rows", unchanged + "shape-no-rows-of-float"},
                                        {"empty-file", x, SmokeForm::empty},
                                        {"half", x, SmokeForm::half},
                                        {"skipped", x, SmokeForm::skipped},
                                        {"replaces", x, SmokeForm::replaces, negates},
                                        {"long-names", x, SmokeForm::long_names},
                                        {"large", negates, SmokeForm::large},
                                        {"hold", x, SmokeForm::held},
                                        {"threads", x, SmokeForm::concurrent}};
    checks.insert(checks.end(), known.begin(), known.end());
    const std::string twin = "onnx/if/cond-single-element/dynamic-length-one";
    std::set<std::string> ids{twin};
    for (const SmokeCheck& check : checks) ids.insert({check.vector, check.before});
    const Suite suite =
        read_suite(find_project(), [&ids](const VectorSummary& vector) { return ids.contains(vector.id); });
    std::vector<std::string> found;
    const Limits patient{.message = patience, .start = patience};
    for (const SmokeStep& step : smoke(project.project(), project.adapter(script), suite, checks, patient)) {
      if (step.outcome == StepOutcome::ok) continue;
      found.push_back(step.name + (step.outcome == StepOutcome::adapter   ? ": adapter"
                                   : step.outcome == StepOutcome::runtime ? ": runtime"
                                                                          : ": not tried, " + step.reason));
    }
    return found;
  }
};

TEST_F(SmokeCheckTest, FindsNothingWhereAllValuesPass) {
  EXPECT_THAT(failed("passes_x"), ElementsAre());
}

TEST_F(SmokeCheckTest, FindsTheValueThatWasChanged) {
  EXPECT_THAT(failed("swaps_nibbles"), ElementsAre("int4: runtime"));
  EXPECT_THAT(failed("loses_signs_of_zero"), testing::Contains("edges: runtime"));
  EXPECT_THAT(failed("cuts_at_nul"), ElementsAre("nul: runtime"));
  EXPECT_THAT(failed("makes_scalars_lists"), ElementsAre("scalar: runtime"));
  EXPECT_THAT(failed("fills_the_absent"), ElementsAre("absent: runtime"));
  EXPECT_THAT(failed("cuts_long_names"), ElementsAre("long-names: runtime"));
  EXPECT_THAT(failed("cuts_large_values"), ElementsAre("large: adapter"));
}

TEST_F(SmokeCheckTest, FindsTheMessageThatWasMisunderstood) {
  EXPECT_THAT(failed("rereads_the_last"), ElementsAre("hold: runtime"));
  EXPECT_THAT(failed("keeps_the_first_model"), ElementsAre("replaces: runtime"));
  EXPECT_THAT(failed("fails_at_the_end_of_input"), ElementsAre("end-of-input: adapter"));
}

TEST_F(SmokeCheckTest, FindsTheFileThatShouldHaveBeenRefused) {
  EXPECT_THAT(failed("loads_half_files"),
              ElementsAre("empty-file: not tried, the runtime reads an empty file as an empty model", "half: runtime",
                          "skipped: not tried, the adapter accepted a file that is not a model"));
}

TEST_F(SmokeCheckTest, FindsTheRefusalThatWasHidden) {
  const std::vector<SmokeCheck> refusals{
      {"missing-data", "onnx/model/external-data/whole-file", SmokeForm::without_data},
      {"refused-run", "onnx/if/cond-single-element/dynamic-length-two"}};
  EXPECT_THAT(failed("chooses", refusals), ElementsAre());
  EXPECT_THAT(failed("fills_missing_data", refusals), ElementsAre("missing-data: runtime"));
  EXPECT_THAT(failed("skips_refused_runs", refusals), ElementsAre("refused-run: adapter"));
  EXPECT_THAT(failed("takes_the_first_of_cond", refusals),
              ElementsAre("refused-run: not tried, LENIENT: outputs were returned; the run should have been refused"));
}

TEST_F(SmokeTest, BlamesTheAdapterThatRunsWhatItRefused) {
  const std::vector<SmokeCheck> checks{{"skipped", "onnx/test/negate/b-trap", SmokeForm::skipped}};
  const auto steps = smoke(project.project(), project.adapter("runs_what_it_refused"), read_suite(project.project()),
                           checks, {.message = patience, .start = patience});
  EXPECT_EQ(steps.at(1).outcome, StepOutcome::adapter);
  EXPECT_THAT(steps.at(1).reason, HasSubstr("expected skipped"));
}

}  // namespace
}  // namespace ifcert::conformance
