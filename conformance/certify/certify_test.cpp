// The runner against adapters that lie, crash and babble: each is recognized, and the next vector still runs.
#include "conformance/certify/certify.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/certify/known_failures.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_project.hpp"
#include "conformance/testing/test_runner.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST_F(Runner, FindsNoFaultInAnHonestAdapter) {
  const Certification certification = certified("honest");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "PASS", "PASS", "PASS", "PASS"));
  EXPECT_EQ(certification.adapters.at(0).runtime, "Negator");
  EXPECT_EQ(certification.adapters.at(0).language, "Python");
}

TEST_F(Runner, SeesWrongValues) {
  const Certification certification = certified("always_wrong");
  EXPECT_THAT(verdicts(certification), ElementsAre("FAIL (wrong-value)", "FAIL (wrong-value)", "FAIL (wrong-value)",
                                                   "NOT-SHOWN", "FAIL (wrong-value)"));
  EXPECT_EQ(result_of(certification, trap).reason, "output y: the value is -3, expected -4");
  EXPECT_EQ(result_of(certification, trap).phase, "run");
  EXPECT_EQ(result_of(certification, trap).step, 1U);
}

TEST_F(Runner, SeesAnOutputWithAnotherShapeThanDeclaredAtLoad) {
  const Result result = trapped("says_another_shape");
  EXPECT_EQ(verdict_line(result), "FAIL (wrong-shape)");
  EXPECT_THAT(result.reason, HasSubstr("output y: the load declared the shape [3], the run returned ["));
}

TEST_F(Runner, SeesAnInputReturnedAsTheOutput) {
  EXPECT_EQ(verdict_line(result_of(certified("echo"), trap)), "FAIL (wrong-value)");
}

TEST_F(Runner, GivesNoCreditForRefusingEverything) {
  const Certification certification = certified("refuse_everything");
  EXPECT_THAT(verdicts(certification), ElementsAre("FAIL (wrongly-refused)", "FAIL (wrongly-refused)",
                                                   "FAIL (wrongly-refused)", "NOT-SHOWN", "FAIL (wrongly-refused)"));
  EXPECT_THAT(result_of(certification, faulty).reason, HasSubstr("the refusal shows nothing"));
}

TEST_F(Runner, SeesThatEverythingIsAccepted) {
  EXPECT_THAT(verdicts(certified("accept_everything")), ElementsAre("PASS", "PASS", "PASS", "LENIENT", "PASS"));
}

TEST_F(Runner, DoesNotRevealByItsMessagesWhetherARefusalIsExpected) {
  EXPECT_THAT(verdicts(certified("timing_side_channel")), ElementsAre("PASS", "PASS", "PASS", "LENIENT", "PASS"));
}

TEST_F(Runner, SeesACrashWithItsSignalAndItsLastWords) {
  const Result result = trapped("crash");
  EXPECT_EQ(verdict_line(result), "CRASH (signal 11)");
  EXPECT_THAT(result.evidence, HasSubstr("last words"));
}

TEST_F(Runner, SeesACrashWhileAModelIsUnloaded) {
  const Result result = trapped("crash_at_unload");
  EXPECT_EQ(verdict_line(result), "CRASH (signal 6)");
  EXPECT_THAT(result.reason, HasSubstr("unloaded"));
  EXPECT_EQ(result.step, std::nullopt) << "every step was right";
  EXPECT_EQ(result.phase, "");
  EXPECT_EQ(result.expected, nullptr);
}

TEST_F(Runner, DoesNotAcceptThatAnUnloadWasSkipped) {
  const Result result = trapped("skips_the_unload");
  EXPECT_EQ(verdict_line(result), "FAIL (wrongly-refused)");
  EXPECT_THAT(result.reason, HasSubstr("unloaded"));
}

TEST_F(Runner, SeesACrashAfterAnIllegalModelWasAcceptedOrAFeatureMissing) {
  const Certification certification = certified("dies_after_its_answer");
  const Result& illegal = result_of(certification, faulty);
  EXPECT_EQ(verdict_line(illegal), "CRASH (signal 6)");
  EXPECT_THAT(illegal.reason, HasSubstr("unloaded"));
  EXPECT_THAT(illegal.reason, HasSubstr("before that, LENIENT: "));
  const Result& missing = result_of(certification, trap);
  EXPECT_EQ(verdict_line(missing), "CRASH (signal 6)");
  EXPECT_THAT(missing.reason, HasSubstr("before that, UNSUPPORTED: "));
}

TEST_F(Runner, SeesAnEndInTheMiddleOfAVector) {
  const Result result = trapped("exits");
  EXPECT_EQ(verdict_line(result), "CRASH");
  EXPECT_THAT(result.reason, HasSubstr("exit code 3"));
}

TEST_F(Runner, SeesAnEndInTheMiddleOfALine) {
  const Result result = trapped("half_a_line");
  EXPECT_EQ(verdict_line(result), "CRASH");
  EXPECT_THAT(result.reason, HasSubstr("after only a part of its answer: "));
}

TEST_F(Runner, GoesOnWithTheProcessThatRefusedAModel) {
  const Result result = trapped("refuses_the_trap");
  EXPECT_EQ(verdict_line(result), "FAIL (wrongly-refused)");
  EXPECT_EQ(result.phase, "load");
}

TEST_F(Runner, RecordsTheRunThatWasRefusedAsItShouldBe) {
  const Adapter adapter = project.adapter("refuses_the_first_run");
  Suite suite = read_suite(project.project());
  nlohmann::json& steps = suite.vectors.front().summary.steps;
  steps.push_back(steps.back());
  steps[1]["run"]["expect"] = {{"refused", nlohmann::json::object()}};
  const CertificationOptions options{.selection = {.vectors = {suite.vectors.front().summary.id}},
                                     .limits = {patience, patience}};
  const Result result = certify(project.project(), suite, std::span(&adapter, 1), options).results.at(0);
  EXPECT_EQ(verdict_line(result), "PASS") << result.reason;
  EXPECT_EQ(result.step, 1U);
  EXPECT_EQ(result.phase, "run");
  EXPECT_EQ(refusal_message(result), "not yet");
}

TEST_F(Runner, IgnoresRunsOfAModelThatWasRefused) {
  EXPECT_EQ(verdict_line(trapped("runs_what_it_refused")), "FAIL (wrongly-refused)");
}

TEST_F(Runner, DoesNotWaitForever) {
  const Result result = trapped("hang");
  EXPECT_EQ(verdict_line(result), "TIMEOUT");
  EXPECT_THAT(result.reason, HasSubstr("no answer within 2 s"));
}

TEST_F(Runner, RejectsAnAnswerWithTheWrongId) {
  EXPECT_THAT(trapped("wrong_id").reason, HasSubstr("wrong id"));
}

TEST_F(Runner, BlamesTheAdapterForInvalidAnswers) {
  for (const char* script : {"wrong_id", "another_kind", "garbage", "flood", "deep", "contradiction", "own_fault"}) {
    EXPECT_EQ(verdict_line(trapped(script)), "ADAPTER") << script;
  }
}

TEST_F(Runner, BlamesTheAdapterForASecondAnswer) {
  const Certification certification = certified("answers_twice");
  EXPECT_EQ(std::ranges::count(certification.results, Verdict::adapter, &Result::verdict), 1);
}

TEST_F(Runner, BlamesTheAdapterForAnotherVersionThanPinned) {
  const Certification certification = certified("another_version");
  EXPECT_THAT(verdicts(certification), testing::Each("ADAPTER"));
  EXPECT_THAT(certification.results.at(0).reason, HasSubstr("version '2.0'"));
}

TEST_F(Runner, QuotesTheLastWordsOfAnAdapterThatNeverAnsweredHello) {
  const Certification certification = certified("fails_at_start");
  EXPECT_THAT(verdicts(certification), testing::Each("ADAPTER"));
  EXPECT_THAT(certification.results.at(0).reason, HasSubstr("ImportError: no runtime is here"));
}

TEST_F(Runner, AcceptsUnsupportedOnlyWhereItWasDeclared) {
  EXPECT_THAT(verdicts(certified("declared")), testing::Each("UNSUPPORTED"));
  EXPECT_EQ(certified("declared").results.at(0).link, "https://example.org/types");
  EXPECT_THAT(verdicts(certified("undeclared")), testing::Each("FAIL (wrongly-refused)"));
}

TEST_F(Runner, AcceptsACheckersRefusalBesideAnAcceptedTwin) {
  EXPECT_THAT(verdicts(certified("checker")),
              ElementsAre("UNSUPPORTED", "UNSUPPORTED", "UNSUPPORTED", "PASS", "UNSUPPORTED"));
}

TEST_F(Runner, DoesNotMistakeALateAnswerForTheNextOne) {
  EXPECT_EQ(verdict_line(trapped("answers_late")), "TIMEOUT");
}

TEST_F(Runner, KillsAnAdapterThatIgnoresSigterm) {
  EXPECT_EQ(verdict_line(trapped("ignores_sigterm")), "TIMEOUT");
}

/// Vectors that hold outputs and run concurrently, between two plain ones.
class Sessions : public testing::Test {
 protected:
  Certification certified(const std::string& script) const {
    const Adapter adapter = project.adapter(script);
    const CertificationOptions options{.limits = {patience, patience}};
    return certify(project.project(), read_suite(project.project()), std::span(&adapter, 1), options);
  }

  static std::vector<std::string> verdicts(const Certification& certification) {
    std::vector<std::string> words;
    for (const Result& result : certification.results) words.push_back(verdict_line(result));
    return words;
  }

  TestProject project{"test_data_sessions"};
};

TEST_F(Sessions, FindNoFaultInAnHonestAdapter) {
  EXPECT_THAT(verdicts(certified("honest")), ElementsAre("PASS", "PASS", "PASS", "PASS"));
}

TEST_F(Sessions, SendNothingThatIsNotDeclared) {
  const Certification certification = certified("neither_threads_nor_holds");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "UNSUPPORTED", "UNSUPPORTED", "PASS"));
  EXPECT_EQ(certification.results.at(1).reason, "hello does not declare 'hold'");
  EXPECT_EQ(certification.results.at(2).reason, "hello does not declare 'threads'");
}

TEST_F(Sessions, SeeThatAHeldOutputIsOverwritten) {
  const Certification certification = certified("overwrites_held");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "FAIL (wrong-value)", "PASS", "PASS"));
  EXPECT_THAT(certification.results.at(1).reason,
              HasSubstr("held since step 1, read again: output y: element 0 is -5"));
  EXPECT_EQ(certification.results.at(1).step, 3U);
}

TEST_F(Sessions, SeeThatRunsDisturbEachOther) {
  for (const char* script : {"races", "runs_out_of_order"}) {
    const Certification certification = certified(script);
    EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "PASS", "FAIL (wrong-value)", "PASS")) << script;
    const Result& result = certification.results.at(2);
    EXPECT_EQ(result.reason, "concurrent run 0: output y: the value is -4, expected -1") << script;
    EXPECT_TRUE(result.expected.contains("outputs"));
    EXPECT_TRUE(result.got.contains("outputs"));
  }
}

TEST_F(Sessions, ReportACrashAfterAWrongAnswerToo) {
  const Certification certification = certified("wrong_then_crash");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "FAIL (wrong-value)", "PASS", "PASS"));
  EXPECT_EQ(certification.results.at(1).step, 1U);
  EXPECT_THAT(certification.results.at(1).reason,
              HasSubstr("; after the answer that decided the verdict: the process was killed by signal 6"));
}

TEST_F(Sessions, BlameTheAdapterForRunsThatAreMissing) {
  const Certification certification = certified("too_few_runs");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "PASS", "ADAPTER", "PASS"));
  const Result& result = certification.results.at(2);
  EXPECT_EQ(result.reason, "3 concurrent runs were answered, expected 4");
  EXPECT_EQ(result.step, 1U);
  EXPECT_EQ(result.expected, nullptr) << "no run is singled out";
  EXPECT_EQ(result.got.at("runs").size(), 3U);
}

TEST_F(Runner, GivesTheSameResultsWithTwoJobs) {
  for (const char* script : {"honest", "crash", "refuse_everything", "checker"}) {
    const Certification one = certified(script, {.jobs = 1});
    const Certification two = certified(script, {.jobs = 2});
    ASSERT_EQ(one.results.size(), two.results.size());
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      EXPECT_EQ(one.results[i].vector, two.results[i].vector);
      EXPECT_EQ(verdict_line(one.results[i]), verdict_line(two.results[i]));
      EXPECT_EQ(one.results[i].reason, two.results[i].reason);
    }
  }
}

TEST_F(Runner, RunsATwinThatWasNotSelectedWithoutCountingIt) {
  const CertificationOptions only_faulty{.selection = {.vectors = {faulty}}};
  const Certification honest = certified("honest", only_faulty);
  EXPECT_THAT(verdicts(honest), ElementsAre("PASS"));
  EXPECT_EQ(honest.vectors.size(), 1U);
  EXPECT_EQ(honest.selector, "--vector 'onnx/test/refuse/faulty'");
  EXPECT_THAT(verdicts(certified("refuse_everything", only_faulty)), ElementsAre("NOT-SHOWN"));
}

TEST_F(Runner, SeesThatOnlyAFreshProcessComputesCorrectly) {
  const Certification certification = certified("wrong_after_first_model");
  EXPECT_THAT(verdicts(certification),
              ElementsAre("PASS", "FAIL (unstable)", "FAIL (unstable)", "NOT-SHOWN", "FAIL (unstable)"));
  EXPECT_EQ(result_of(certification, trap).reason,
            "in one process FAIL (wrong-value): output y: the value is -3, expected -4; "
            "in a fresh process it passes");
}

TEST_F(Runner, KeepsAFailureThatAFreshProcessRepeats) {
  EXPECT_EQ(verdict_line(result_of(certified("always_wrong"), trap)), "FAIL (wrong-value)");
}

TEST_F(Runner, StartsNoFreshProcessForAFailureThatIsListed) {
  project.list_failures("wrong-after-first-model", {{{"vector", trap},
                                                     {"verdict", "FAIL"},
                                                     {"fault", "wrong-value"},
                                                     {"link", "https://example.org/1"},
                                                     {"note", "one too large"}}});
  const KnownFailures list =
      read_known_failures(project.project(), "wrong-after-first-model", read_suite(project.project()));
  const Certification certification = certified("wrong_after_first_model", {.known_failures = std::span(&list, 1)});
  EXPECT_EQ(verdict_line(result_of(certification, trap)), "FAIL (wrong-value)");
  EXPECT_EQ(verdict_line(result_of(certification, "onnx/test/negate/c-after")), "FAIL (unstable)");
}

TEST_F(Runner, SeesAFailureOfEverySecondLoad) {
  const Certification certification = certified("every_second_load");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "FAIL (unstable)", "PASS", "PASS", "PASS"));
}

TEST_F(Runner, SeesInRepeatedRoundsWhatASingleRoundMisses) {
  // Each round is five loads, so that every vector has its odd and its even rounds.
  const Certification certification = certified("every_second_load", {.repeat = 2});
  EXPECT_EQ(certification.results.size(), 5U);
  EXPECT_EQ(verdict_line(result_of(certification, "onnx/test/negate/a-before")), "FAIL (unstable)");
  EXPECT_THAT(result_of(certification, "onnx/test/negate/a-before").reason,
              testing::StartsWith("round 1: PASS; round 2: FAIL (unstable): "));
}

TEST_F(Runner, FindsNoFaultInRepeatedRoundsOfAnHonestAdapter) {
  const Certification certification = certified("honest", {.jobs = 2, .repeat = 3});
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "PASS", "PASS", "PASS", "PASS"));
}

TEST_F(Runner, RunsTheVectorsOfAShardAndTheirTwins) {
  const Certification first = certified("honest", {.shard = {1, 2}});
  const Certification second = certified("honest", {.shard = {2, 2}});
  EXPECT_EQ(first.shard, "1/2");
  EXPECT_THAT(verdicts(first), ElementsAre("PASS", "PASS", "PASS"));
  EXPECT_THAT(verdicts(second), ElementsAre("PASS", "PASS"));
  EXPECT_EQ(second.results.at(1).vector, faulty);  // its twin is in the other shard
  EXPECT_THAT(
      [this] {
        certified("honest", {.shard = {1, 6}});
      },
      ThrowsMessage<Error>(HasSubstr("5 selected vectors cannot be split into 6 shards")));
}

TEST_F(Runner, RunsOnlyVectorsThatTheJournalLacks) {
  const Adapter adapter = project.adapter("honest");
  const Suite suite = read_suite(project.project());
  CertificationOptions options{.limits = {patience, patience}};
  const std::filesystem::path file = project.project().root / "out" / "part";
  {
    Journal journal = Journal::begin(file, plan_of(suite, std::span(&adapter, 1), options));
    options.journal = &journal;
    EXPECT_THAT(verdicts(certify(project.project(), suite, std::span(&adapter, 1), options)), testing::Each("PASS"));
  }
  const std::string all = read_file(file);
  replace_file(file, all.substr(0, all.rfind(R"({"round")")));  // one trial fewer
  std::vector<std::string> run;
  options.progress = [&run](std::size_t done, std::size_t total, const Result& last) {
    run.push_back(fmt::format("{} of {}: {}", done, total, last.vector));
  };
  Journal journal = Journal::resume(project.project(), file, plan_of(suite, std::span(&adapter, 1), options));
  options.journal = &journal;
  const Certification resumed = certify(project.project(), suite, std::span(&adapter, 1), options);
  EXPECT_THAT(verdicts(resumed), ElementsAre("PASS", "PASS", "PASS", "PASS", "PASS"));
  EXPECT_THAT(run, ElementsAre("5 of 5: onnx/test/refuse/sound"));
  EXPECT_EQ(resumed.adapters.at(0).runtime, "Negator");
}

TEST_F(Runner, RetriesAFailureThatTheListNoLongerNamesWhenItIsResumed) {
  const Adapter adapter = project.adapter("crash");
  const Suite suite = read_suite(project.project());
  const std::filesystem::path file = project.project().root / "out" / "part";
  const KnownFailures list{"crash", {{.vector = trap, .verdict = Verdict::crash, .link = "", .note = ""}}};
  std::size_t retries = 0;
  CertificationOptions options{.limits = {patience, patience}, .known_failures = {&list, 1}};
  options.retry_progress = [&](std::size_t, std::size_t, const Result&) { ++retries; };
  const Certification plan = plan_of(suite, std::span(&adapter, 1), options);
  const auto confirmed_by = [&](Journal journal) {
    options.journal = &journal;
    return result_of(certify(project.project(), suite, std::span(&adapter, 1), options), trap).confirmed_by;
  };
  EXPECT_EQ(confirmed_by(Journal::begin(file, plan)), "");
  EXPECT_EQ(retries, 0U);
  options.known_failures = {};
  EXPECT_EQ(confirmed_by(Journal::resume(project.project(), file, plan)), trap);
  EXPECT_EQ(confirmed_by(Journal::resume(project.project(), file, plan)), trap);
  EXPECT_EQ(retries, 1U) << "it is retried once";
}

TEST_F(Runner, RefusesASelectorThatMatchesNothing) {
  EXPECT_THAT([this] { certified("honest", {.selection = {.rules = {"onnx/other/*"}}}); },
              ThrowsMessage<Error>(HasSubstr("--rule 'onnx/other/*' matches none of the 5 vectors")));
  const Selection apart{.rules = {"onnx/test/refuse"}, .vectors = {"*/b-trap"}};
  EXPECT_THAT([&] { certified("honest", {.selection = apart}); }, ThrowsMessage<Error>(HasSubstr("together")));
}

TEST_F(Runner, ReportsThatACommandCannotBeStarted) {
  Adapter adapter = project.adapter("honest");
  adapter.command = {"no-such-program-anywhere"};
  const Suite suite = read_suite(project.project());
  EXPECT_THAT([&] { certify(project.project(), suite, std::span(&adapter, 1), {}); },
              ThrowsMessage<Error>(HasSubstr("cannot start no-such-program-anywhere: No such file or directory")));
}

TEST_F(Runner, DoesNotRunTheRestWhenItIsInterrupted) {
  const std::atomic<bool> interrupted = true;
  const Certification certification = certified("honest", {.interrupted = &interrupted});
  EXPECT_THAT(verdicts(certification), testing::Each("NOT-RUN"));
  EXPECT_EQ(result_of(certification, trap).reason, "the run was interrupted before this vector");
  EXPECT_EQ(exit_code(certification), 2);
}

TEST_F(Runner, ReportsAFailureThatAnInterruptionKeptFromBeingRetried) {
  std::atomic<bool> interrupted = false;
  const Certification certification = certified(
      "crash", {.progress = [&](std::size_t done, std::size_t total, const Result&) { interrupted = done == total; },
                .interrupted = &interrupted});
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "NOT-RUN", "PASS", "PASS", "PASS"));
  EXPECT_EQ(result_of(certification, trap).reason,
            "it failed, and the run was interrupted before it was retried in a fresh process");
}

TEST_F(Runner, DoesNotUseAVectorWhoseFilesWereChanged) {
  std::ofstream(project.project().vectors() / "onnx/generated/test/negate/b-trap.onnx") << "negated";
  const Certification certification = certified("honest");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "HARNESS", "PASS", "PASS", "PASS"));
  EXPECT_THAT(result_of(certification, trap).reason, HasSubstr("its line has"));
  EXPECT_EQ(exit_code(certification), 2);
}

TEST_F(Runner, IsGreenOnlyWhenAllResultsMatchTheLists) {
  Certification certification = certified("crash");
  compare_with_lists({}, certification);
  EXPECT_EQ(exit_code(certification), 1);
  project.list_failures(
      "crash", {{{"vector", trap}, {"verdict", "CRASH"}, {"link", "https://example.org/1"}, {"note", "dies"}}});
  const KnownFailures list = read_known_failures(project.project(), "crash", read_suite(project.project()));
  compare_with_lists(std::span(&list, 1), certification);
  EXPECT_EQ(exit_code(certification), 0);
  EXPECT_TRUE(result_of(certification, trap).known);
}

}  // namespace
}  // namespace ifcert::conformance
