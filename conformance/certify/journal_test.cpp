#include "conformance/certify/journal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Certification plan() {
  Certification plan;
  plan.manifest_digest = std::string(64, 'a');
  plan.started = std::string("2024-01-01T00:00:00Z");
  plan.limits = {{"timeout_s", 30}};
  return plan;
}

RecordedTrial recorded_trial(const std::string& vector) {
  RecordedTrial one;
  one.trial.result.adapter = std::string("a");
  one.trial.result.vector = vector;
  one.trial.result.rule = std::string("r");
  one.trial.result.verdict = Verdict::pass;
  one.trial.loaded = true;
  return one;
}

nlohmann::json hello() {
  return {{"runtime", {{"name", "R"}, {"version", "1"}, {"language", "C"}, {"home", "https://example.org"}}},
          {"formats", {"onnx"}},
          {"computes", true},
          {"threads", false},
          {"unsupported_features", nlohmann::json::array()}};
}

class JournalFile : public testing::Test {
 protected:
  JournalFile() : file(project.project().root / "out" / "results.jsonl.part") {
    Journal journal = Journal::begin(file, plan());
    journal.add(RecordedHello{"a", hello()});
    for (const char* vector : {"v", "w"}) journal.add(recorded_trial(vector));
  }

  Journal resumed(const Certification& now = plan()) const { return Journal::resume(project.project(), file, now); }

  TestProject project;
  std::filesystem::path file;
};

TEST_F(JournalFile, HasWhatWasRecorded) {
  Certification now = plan();
  now.started = std::string("2024-01-02T00:00:00Z");
  const Journal journal = resumed(now);
  EXPECT_EQ(journal.started(), plan().started);
  ASSERT_EQ(journal.hellos().size(), 1U);
  EXPECT_EQ(journal.hellos()[0].adapter, "a");
  EXPECT_EQ(journal.hellos()[0].hello, hello());
  ASSERT_EQ(journal.trials().size(), 2U);
  EXPECT_EQ(journal.trials()[1].trial.result.vector, "w");
  EXPECT_TRUE(journal.trials()[1].trial.loaded);
}

TEST_F(JournalFile, CutAnywhereHasItsWholeLinesAndCanBeExtended) {
  const std::string text = read_file(file);
  for (std::size_t length = 0; length < text.size(); length += 5) {
    replace_file(file, text.substr(0, length));
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    const auto whole = static_cast<std::size_t>(std::max<std::ptrdiff_t>(lines - 2, 0));
    {
      Journal journal = resumed();
      EXPECT_EQ(journal.trials().size(), whole) << length;
      journal.add(recorded_trial("x"));
    }
    EXPECT_EQ(resumed().trials().size(), whole + 1) << length;
    EXPECT_EQ(resumed().trials().back().trial.result.vector, "x") << length;
  }
}

TEST_F(JournalFile, IgnoresLinesAfterOneThatIsCutOff) {
  std::string text = read_file(file);
  replace_file(file, text.insert(text.find(R"({"round")"), "{\"rou\n"));
  EXPECT_EQ(resumed().trials().size(), 0U);
  EXPECT_EQ(resumed().hellos().size(), 1U);
}

TEST_F(JournalFile, WithAnyByteChangedHasTheLinesBeforeIt) {
  const std::string text = read_file(file);
  const auto header = text.find('\n');
  for (std::size_t at = 0; at < text.size(); ++at) {
    SCOPED_TRACE(at);
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    replace_file(file, changed);
    if (at <= header) {
      EXPECT_THAT([this] { resumed(); }, ThrowsMessage<Error>(testing::AnyOf(HasSubstr("its line 1 was changed"),
                                                                             HasSubstr("its format is"))));
      EXPECT_EQ(read_file(file), changed);
      continue;
    }
    const Journal journal = resumed();
    const auto before =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    EXPECT_EQ(journal.trials().size(), before < 2 ? 0 : before - 2);
    EXPECT_EQ(journal.changed_line(), at + 1 == text.size() ? std::nullopt : std::optional(before + 1));
  }
}

TEST_F(JournalFile, OfAnEarlierFormatIsNotReplacedUnrequested) {
  replace_file(file, R"({"journal":1,"started":"","terms":{}})"
                     "\n");
  EXPECT_THAT([this] { resumed(); }, ThrowsMessage<Error>(HasSubstr("its format is 1; this ifcert reads format 2 "
                                                                    "(to begin anew, leave out --resume)")));
}

TEST_F(JournalFile, ThatWasSpoiltIsNotResumed) {
  resumed().mark_unusable("vectors were changed");
  EXPECT_THAT([this] { resumed(); }, ThrowsMessage<Error>(HasSubstr("is not resumed: vectors were changed")));
}

TEST_F(JournalFile, HasTheTrialsStillToBeConfirmed) {
  RecordedTrial one = recorded_trial("x");
  one.is_suspect = true;
  one.wall_time = {.seconds = 2, .retry_seconds = 0.5};
  resumed().add(one);
  const RecordedTrial read = resumed().trials().back();
  EXPECT_TRUE(read.is_suspect);
  EXPECT_EQ(read.wall_time.seconds, 2);
  EXPECT_EQ(read.wall_time.retry_seconds, 0.5);
}

TEST_F(JournalFile, OfAnotherRunIsNotResumed) {
  Certification other = plan();
  other.limits["timeout_s"] = 20;
  EXPECT_THAT([&] { resumed(other); },
              ThrowsMessage<Error>(HasSubstr("another run: limits.timeout_s is 30 there and 20 here")));
  EXPECT_EQ(resumed().trials().size(), 2U);
}

TEST_F(JournalFile, OfAdaptersThatWereIsolatedOtherwiseIsNotResumed) {
  Certification other = plan();
  other.isolation["confined_by"] = "another";
  EXPECT_THAT([&] { resumed(other); },
              ThrowsMessage<Error>(HasSubstr(R"(isolation.confined_by is nothing there and "another" here)")));
}

TEST_F(JournalFile, IsWrittenByOneRunAtATime) {
  const Journal journal = resumed();
  EXPECT_THAT([this] { resumed(); }, ThrowsMessage<Error>(HasSubstr("another run is writing")));
}

TEST_F(JournalFile, IsReplacedWhereARunBegins) {
  { const Journal journal = Journal::begin(file, plan()); }
  EXPECT_EQ(resumed().trials().size(), 0U);
}

TEST_F(JournalFile, IsRemovedAfterTheRun) {
  resumed().remove();
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace ifcert::conformance
