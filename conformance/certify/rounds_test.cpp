#include "conformance/certify/rounds.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

Trial trial(Verdict verdict, Fault fault = Fault::none, const char* reason = "") {
  Trial trial{.result = {}, .loaded = true};
  trial.result.verdict = verdict;
  trial.result.fault = fault;
  trial.result.reason = reason;
  return trial;
}

TEST(Rounds, ThatAgreeAreTheFirst) {
  Rounds rounds;
  Trial second = trial(Verdict::pass);
  Trial first = trial(Verdict::pass);
  second.result.milliseconds = 2;
  first.result.milliseconds = 1;
  rounds.add(2, second);
  rounds.add(1, first);
  EXPECT_EQ(rounds.count(), 2U);
  EXPECT_TRUE(rounds.has(2));
  EXPECT_FALSE(rounds.has(3));
  EXPECT_EQ(rounds.trial().result.verdict, Verdict::pass);
  EXPECT_EQ(rounds.trial().result.milliseconds, 1);
}

TEST(Rounds, ThatDifferAreUnstable) {
  Rounds rounds;
  rounds.add(3, trial(Verdict::fail, Fault::wrong_value, "later"));
  rounds.add(1, trial(Verdict::pass));
  Trial crash = trial(Verdict::crash, Fault::none, "gone");
  crash.result.evidence = "last words";
  rounds.add(2, crash);
  rounds.add(4, trial(Verdict::pass));
  const Trial all = rounds.trial();
  EXPECT_EQ(verdict_line(all.result), "FAIL (unstable)");
  EXPECT_EQ(all.result.reason, "round 1: PASS; round 2: CRASH: gone; round 3: FAIL (wrong-value): later");
  EXPECT_EQ(all.result.evidence, "last words");
}

TEST(Rounds, OfAnotherFaultDifferToo) {
  Rounds rounds;
  rounds.add(1, trial(Verdict::fail, Fault::wrong_value, "a"));
  rounds.add(2, trial(Verdict::fail, Fault::wrong_shape, "b"));
  EXPECT_EQ(rounds.trial().result.fault, Fault::unstable);
}

TEST(Rounds, DoNotBlameTheRuntimeForFaultsOfTheAdapterOrTheRunner) {
  for (const Verdict verdict : {Verdict::adapter, Verdict::harness, Verdict::not_run}) {
    Rounds rounds;
    rounds.add(1, trial(Verdict::pass));
    rounds.add(2, trial(verdict));
    EXPECT_EQ(rounds.trial().result.verdict, verdict);
  }
}

TEST(Rounds, AreARefusalWhereOneOfThemIs) {
  Rounds rounds;
  Trial refused = trial(Verdict::pass);
  refused.by_refusal = true;
  refused.loaded = false;
  rounds.add(1, trial(Verdict::pass));
  rounds.add(2, refused);
  EXPECT_TRUE(rounds.trial().by_refusal);
  EXPECT_FALSE(rounds.trial().loaded);
}

}  // namespace
}  // namespace ifcert::conformance
