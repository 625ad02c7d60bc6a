#include "conformance/certify/twins.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;

Trial twin_with(Verdict verdict, bool loaded = false) {
  Trial twin;
  twin.result.vector = "sound";
  twin.result.verdict = verdict;
  twin.result.reason = "because";
  twin.result.link = "https://example.org";
  twin.loaded = loaded;
  return twin;
}

/// The result of a refusal that passed beside that twin.
Result settled(Trial twin, bool runs_models = true) {
  Trial refusal;
  refusal.result.vector = "faulty";
  refusal.result.verdict = Verdict::pass;
  refusal.twin = "sound";
  refusal.by_refusal = true;
  std::vector<Trial> trials{refusal, std::move(twin)};
  judge_by_twins(trials, runs_models);
  return trials[0].result;
}

TEST(Twin, ThatWasComputedLetsARefusalPass) {
  EXPECT_EQ(settled(twin_with(Verdict::pass)).verdict, Verdict::pass);
}

TEST(Twin, ThatFailedInAnyWayLeavesTheRefusalNotShown) {
  for (const Verdict verdict : {Verdict::fail, Verdict::crash, Verdict::timeout, Verdict::memory, Verdict::adapter}) {
    const Result result = settled(twin_with(verdict));
    EXPECT_EQ(verdict_line(result), "NOT-SHOWN");
    EXPECT_THAT(result.reason, HasSubstr("refused as expected, but its legal twin sound is " + to_string(verdict)));
  }
}

TEST(Twin, ThatPassedByBeingRefusedShowsNothing) {
  Trial twin = twin_with(Verdict::pass);
  twin.by_refusal = true;
  EXPECT_EQ(verdict_line(settled(twin)), "NOT-SHOWN");
}

TEST(Twin, ThatIsUnsupportedMakesTheRefusalUnsupported) {
  const Result result = settled(twin_with(Verdict::unsupported));
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.link, "https://example.org");
}

TEST(Twin, ThatWasNotJudgedLeavesTheRefusalUnjudged) {
  EXPECT_EQ(settled(twin_with(Verdict::harness)).verdict, Verdict::harness);
  EXPECT_EQ(settled(twin_with(Verdict::not_run)).verdict, Verdict::not_run);
  Trial another = twin_with(Verdict::pass);
  another.result.vector = "another";
  EXPECT_EQ(settled(another).verdict, Verdict::not_run);
}

TEST(Twin, OfACheckersRefusalOnlyNeedsToLoad) {
  EXPECT_EQ(settled(twin_with(Verdict::unsupported, true), false).verdict, Verdict::pass);
  EXPECT_EQ(settled(twin_with(Verdict::fail, false), false).verdict, Verdict::not_shown);
}

}  // namespace
}  // namespace ifcert::conformance
