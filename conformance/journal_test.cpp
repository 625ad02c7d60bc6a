#include "conformance/journal.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/test_project.hpp"

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

Settled settled(const std::string& vector) {
  Settled one;
  one.trial.result.adapter = std::string("a");
  one.trial.result.vector = vector;
  one.trial.result.rule = std::string("r");
  one.trial.result.verdict = Verdict::pass;
  one.trial.loaded = true;
  return one;
}

class JournalFile : public testing::Test {
 protected:
  JournalFile() : file(project.project().root / "out" / "results.jsonl.part") {
    Journal journal = Journal::begin(file, plan());
    AdapterIdentity hello;
    hello.name = std::string("a");
    hello.cannot = nlohmann::json::array();
    journal.add(hello);
    for (const char* vector : {"v", "w"}) journal.add(settled(vector));
  }

  Journal resumed(const Certification& now = plan()) const { return Journal::resume(project.project(), file, now); }

  TestProject project;
  std::filesystem::path file;
};

TEST_F(JournalFile, HasWhatWasSettled) {
  Certification now = plan();
  now.started = std::string("2024-01-02T00:00:00Z");
  const Journal journal = resumed(now);
  EXPECT_EQ(journal.started(), plan().started);
  ASSERT_EQ(journal.hellos().size(), 1U);
  EXPECT_EQ(journal.hellos()[0].name, "a");
  ASSERT_EQ(journal.settled().size(), 2U);
  EXPECT_EQ(journal.settled()[1].trial.result.vector, "w");
  EXPECT_TRUE(journal.settled()[1].trial.loaded);
}

TEST_F(JournalFile, CutAnywhereHasItsWholeLinesAndTakesMore) {
  const std::string text = read_file(file);
  for (std::size_t length = 0; length < text.size(); length += 5) {
    replace_file(file, text.substr(0, length));
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    const auto whole = static_cast<std::size_t>(std::max<std::ptrdiff_t>(lines - 2, 0));
    {
      Journal journal = resumed();
      EXPECT_EQ(journal.settled().size(), whole) << length;
      journal.add(settled("x"));
    }
    EXPECT_EQ(resumed().settled().size(), whole + 1) << length;
    EXPECT_EQ(resumed().settled().back().trial.result.vector, "x") << length;
  }
}

TEST_F(JournalFile, DoesNotCountWhatStandsBehindATornLine) {
  std::string text = read_file(file);
  replace_file(file, text.insert(text.find(R"({"round")"), "{\"rou\n"));
  EXPECT_EQ(resumed().settled().size(), 0U);
  EXPECT_EQ(resumed().hellos().size(), 1U);
}

TEST_F(JournalFile, OfAnotherRunIsNotResumed) {
  Certification other = plan();
  other.limits["timeout_s"] = 20;
  EXPECT_THAT([&] { resumed(other); },
              ThrowsMessage<Error>(HasSubstr("another run: limits.timeout_s is 30 there and 20 here")));
  EXPECT_EQ(resumed().settled().size(), 2U);
}

TEST_F(JournalFile, IsWrittenByOneRunAtATime) {
  const Journal journal = resumed();
  EXPECT_THAT([this] { resumed(); }, ThrowsMessage<Error>(HasSubstr("another run is writing")));
}

TEST_F(JournalFile, IsReplacedWhereARunBegins) {
  { const Journal journal = Journal::begin(file, plan()); }
  EXPECT_EQ(resumed().settled().size(), 0U);
}

TEST_F(JournalFile, IsGoneWhenItHasServed) {
  resumed().remove();
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace ifcert::conformance
