// The work besides the vectors themselves: failures are retried; hellos and files must not change.
#include "conformance/certify/scheduler.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "conformance/system/file.hpp"
#include "conformance/testing/test_runner.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST_F(Runner, ConfirmsFailuresOfOneCauseInOneProcessAndRecordsWhich) {
  constexpr const char* last = "onnx/test/refuse/sound";
  std::vector<std::string> tried_again;
  const Certification certification =
      certified("always_wrong", {.retry_progress = [&](std::size_t done, std::size_t total, const Result& result) {
                  tried_again.push_back(fmt::format("{} of {}: {}", done, total, result.vector));
                }});
  EXPECT_THAT(tried_again, ElementsAre("1 of 4: onnx/test/refuse/sound", "2 of 4: onnx/test/negate/c-after",
                                       "3 of 4: onnx/test/negate/b-trap", "4 of 4: onnx/test/negate/a-before"));
  for (const char* vector : {last, "onnx/test/negate/c-after", trap, "onnx/test/negate/a-before"}) {
    EXPECT_EQ(result_of(certification, vector).confirmed_by, last) << vector;
  }
  EXPECT_EQ(result_of(certification, faulty).confirmed_by, "");
  EXPECT_GT(certification.wall_times.at("always-wrong").seconds, 0);
  EXPECT_GT(certification.wall_times.at("always-wrong").retry_seconds, 0);
}

TEST_F(Runner, SettlesNoMoreFailuresOfABatchOnceItIsInterrupted) {
  constexpr const char* last = "onnx/test/refuse/sound";
  const Adapter adapter = project.adapter("always_wrong");
  const Suite suite = read_suite(project.project());
  const std::filesystem::path file = project.project().root / "out" / "part";
  std::atomic<bool> interrupted = false;
  std::vector<std::string> retried;
  CertificationOptions options{.limits = {patience, patience}, .interrupted = &interrupted};
  options.retry_progress = [&](std::size_t done, std::size_t total, const Result& result) {
    retried.push_back(fmt::format("{} of {}: {}", done, total, result.vector));
    interrupted = true;
  };
  const Certification plan = plan_of(suite, std::span(&adapter, 1), options);
  const auto run_with = [&](Journal journal) {
    options.journal = &journal;
    return certify(project.project(), suite, std::span(&adapter, 1), options);
  };
  const Certification first_part = run_with(Journal::begin(file, plan));
  EXPECT_EQ(verdict_line(result_of(first_part, last)), "NOT-RUN") << "nobody knows whether it is the If's";
  EXPECT_THAT(result_of(first_part, last).reason, HasSubstr("interrupted before its siblings were run"));
  EXPECT_EQ(result_of(first_part, last).confirmed_by, last);
  EXPECT_EQ(verdict_line(result_of(first_part, trap)), "NOT-RUN");
  EXPECT_THAT(result_of(first_part, trap).reason, HasSubstr("interrupted before it was retried"));

  interrupted = false;
  options.retry_progress = [&](std::size_t done, std::size_t total, const Result& result) {
    retried.push_back(fmt::format("{} of {}: {}", done, total, result.vector));
  };
  const Certification resumed = run_with(Journal::resume(project.project(), file, plan));
  EXPECT_THAT(retried, ElementsAre("1 of 4: onnx/test/refuse/sound", "1 of 3: onnx/test/negate/c-after",
                                   "2 of 3: onnx/test/negate/b-trap", "3 of 3: onnx/test/negate/a-before"));
  EXPECT_THAT(verdicts(resumed), ElementsAre("FAIL (wrong-value)", "FAIL (wrong-value)", "FAIL (wrong-value)",
                                             "NOT-SHOWN", "FAIL (wrong-value)"));
}

TEST_F(Runner, DoesNotBlameModelsAfterTheOneThatDamagedTheProcess) {
  const Certification certification = certified("damaged_by_the_trap");
  EXPECT_EQ(verdict_line(result_of(certification, trap)), "FAIL (wrongly-refused)");
  EXPECT_EQ(result_of(certification, trap).confirmed_by, trap);
  for (const char* vector : {"onnx/test/negate/c-after", "onnx/test/refuse/sound"}) {
    const Result& result = result_of(certification, vector);
    EXPECT_EQ(verdict_line(result), "FAIL (unstable)") << vector;
    EXPECT_THAT(result.reason, testing::EndsWith("process it passes")) << vector;
  }
}

TEST_F(Runner, StartsANewProcessAfterAVectorThatIsListedAsUnstable) {
  KnownFailures list;
  list.adapter = "damaged-by-the-trap";
  list.failures = {{.vector = trap, .verdict = Verdict::fail, .fault = Fault::unstable, .link = "", .note = ""}};
  const Certification certification = certified("damaged_by_the_trap", {.known_failures = {&list, 1}});
  for (const char* vector : {"onnx/test/negate/c-after", "onnx/test/refuse/sound"})
    EXPECT_EQ(verdict_line(result_of(certification, vector)), "PASS") << vector;
}

TEST_F(Runner, UsesNoVectorThatIsListedAsUnstableAsAControl) {
  KnownFailures list;
  list.adapter = "cured-by-the-trap";
  list.failures = {{.vector = trap, .verdict = Verdict::fail, .fault = Fault::unstable, .link = "", .note = ""}};
  const Certification certification = certified("cured_by_the_trap", {.known_failures = {&list, 1}});
  EXPECT_EQ(verdict_line(result_of(certification, trap)), "PASS");
  for (const char* vector : {"onnx/test/negate/a-before", "onnx/test/negate/c-after", "onnx/test/refuse/sound"}) {
    EXPECT_EQ(verdict_line(result_of(certification, vector)), "FAIL (wrongly-refused)") << vector;
    EXPECT_EQ(result_of(certification, vector).confirmed_by, "onnx/test/refuse/sound") << vector;
  }
}

TEST_F(Runner, DoesNotConfirmAFailureCausedByAnotherModel) {
  const Certification certification = certified("damaged_by_two");
  for (const char* culprit : {trap, "onnx/test/refuse/sound"}) {
    EXPECT_EQ(verdict_line(result_of(certification, culprit)), "FAIL (wrongly-refused)") << culprit;
    EXPECT_EQ(result_of(certification, culprit).confirmed_by, culprit);
  }
  const Result& between = result_of(certification, "onnx/test/negate/c-after");
  EXPECT_EQ(verdict_line(between), "FAIL (unstable)") << between.confirmed_by;
  EXPECT_THAT(between.reason, testing::EndsWith("in a fresh process it passes"));
}

TEST_F(Runner, ConfirmsACrashToo) {
  EXPECT_EQ(trapped("crash").confirmed_by, trap);
}

TEST_F(Runner, RejectsResultsOfAnotherRuntimeThanTheFirstProcessDeclared) {
  const Certification certification = certified("another_runtime_each_time");
  EXPECT_THAT(verdicts(certification), ElementsAre("PASS", "CRASH", "ADAPTER", "ADAPTER", "ADAPTER"));
  EXPECT_THAT(
      result_of(certification, "onnx/test/negate/c-after").reason,
      testing::ContainsRegex("hello differs from that of the adapter's first process in this run: runtime.name is "
                             "\"Negator [0-9a-f]+\" there and \"Negator [0-9a-f]+\" here"));
}

TEST_F(Runner, RefusesAHelloOf30MB) {
  const Certification certification = certified("long_hello");
  EXPECT_THAT(verdicts(certification), testing::Each("ADAPTER"));
  EXPECT_THAT(certification.results.at(0).reason, HasSubstr("bytes long; the limit is 1048576: '{\"hello\""));
  EXPECT_LT(certification.results.at(0).reason.size(), 1000U);
  EXPECT_LT(certification.adapters.at(0).home.size(), 1000U);
}

TEST_F(Runner, RejectsAnAnswerOfMillionsOfValues) {
  const Result result = trapped("many_values");
  EXPECT_EQ(verdict_line(result), "ADAPTER");
  EXPECT_THAT(result.reason, HasSubstr("a line that has more than 100000 values: '{"));
}

TEST_F(Runner, RejectsResultsOfVectorsThatWereChangedDuringTheRun) {
  const Adapter adapter = project.adapter("honest");
  const Suite suite = read_suite(project.project());
  const std::filesystem::path model = project.project().vectors() / "onnx/generated/test/negate/b-trap.onnx";
  const std::filesystem::path file = project.project().root / "out" / "part";
  CertificationOptions options{.limits = {patience, patience}};
  options.progress = [&](std::size_t, std::size_t, const Result&) { std::ofstream(model) << "positive"; };
  const Certification plan = plan_of(suite, std::span(&adapter, 1), options);
  const auto names_the_vector = ThrowsMessage<Error>(
      testing::AllOf(HasSubstr("vectors were changed while they were run: onnx/test/negate/b-trap: "),
                     HasSubstr("b-trap.onnx has the digest "), testing::Not(HasSubstr("a-before"))));
  {
    Journal journal = Journal::begin(file, plan);
    options.journal = &journal;
    EXPECT_THAT([&] { certify(project.project(), suite, std::span(&adapter, 1), options); }, names_the_vector);
  }
  EXPECT_THAT([&] { Journal::resume(project.project(), file, plan); },
              ThrowsMessage<Error>(HasSubstr("is not resumed: vectors were changed")));
}

TEST_F(Runner, RejectsResultsOfAManifestThatWasChangedDuringTheRun) {
  CertificationOptions options;
  options.progress = [&](std::size_t, std::size_t, const Result&) {
    std::ofstream(project.project().vectors() / "manifest.json", std::ios::app) << "\n";
  };
  EXPECT_THAT([&] { certified("honest", options); }, ThrowsMessage<Error>(HasSubstr("manifest.json was changed")));
}

}  // namespace
}  // namespace ifcert::conformance
