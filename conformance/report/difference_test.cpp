// Two certifications of a runtime, before and after a new version.
#include "conformance/report/difference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/difference_text.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Certification certification(const std::vector<std::string>& adapters, const std::string& version = "1") {
  Certification made;
  made.manifest_digest = std::string(64, 'a');
  for (const std::string& name : adapters) {
    AdapterIdentity& adapter = made.adapters.emplace_back();
    adapter.name = name;
    adapter.version = version;
  }
  return made;
}

void add(Certification& to, const std::string& adapter, const std::string& vector, Verdict verdict,
         Fault fault = Fault::none) {
  Result& result = to.results.emplace_back();
  result.adapter = adapter;
  result.vector = vector;
  result.rule = "onnx/if/output-order";
  result.verdict = verdict;
  result.fault = fault;
}

/// The change of a vector with these verdicts.
Change change(Verdict before, Verdict after) {
  Certification first = certification({"a"});
  Certification second = certification({"a"}, "2");
  add(first, "a", "v", before);
  add(second, "a", "v", after);
  return difference(first, second).adapters.at(0).differences.at(0).change;
}

TEST(Difference, APassThatFailsIsUnsupportedOrCrashesBroke) {
  for (const Verdict verdict : {Verdict::fail, Verdict::crash, Verdict::timeout, Verdict::memory, Verdict::unsupported})
    EXPECT_EQ(change(Verdict::pass, verdict), Change::broke) << to_string(verdict);
}

TEST(Difference, WhatDidNotFailAndFailsNowBroke) {
  EXPECT_EQ(change(Verdict::unsupported, Verdict::fail), Change::broke);
  EXPECT_EQ(change(Verdict::lenient, Verdict::crash), Change::broke);
}

TEST(Difference, TheReverseIsMended) {
  EXPECT_EQ(change(Verdict::crash, Verdict::pass), Change::fixed);
  EXPECT_EQ(change(Verdict::unsupported, Verdict::pass), Change::fixed);
  EXPECT_EQ(change(Verdict::fail, Verdict::unsupported), Change::fixed);
}

TEST(Difference, LeniencyIsNoLossAndNoGain) {
  EXPECT_EQ(change(Verdict::pass, Verdict::lenient), Change::changed);
  EXPECT_EQ(change(Verdict::lenient, Verdict::pass), Change::changed);
}

TEST(Difference, AFailureOfTheAdapterSaysNothingAboutTheRuntime) {
  EXPECT_EQ(change(Verdict::pass, Verdict::adapter), Change::unknown);
  EXPECT_EQ(change(Verdict::not_run, Verdict::pass), Change::unknown);
}

TEST(Difference, AnotherFaultIsAChange) {
  Certification first = certification({"a"});
  Certification second = certification({"a"}, "2");
  add(first, "a", "v", Verdict::fail, Fault::wrong_value);
  add(second, "a", "v", Verdict::fail, Fault::wrongly_refused);
  const auto found = difference(first, second);
  EXPECT_EQ(found.adapters[0].differences[0].change, Change::changed);
  EXPECT_THAT(difference_text(found), HasSubstr("v: FAIL (wrong-value) → FAIL (wrongly-refused)"));
}

TEST(Difference, ARefusalThatBecomesAWrongValueOrACrashBroke) {
  for (const auto& [verdict, fault] :
       {std::pair(Verdict::fail, Fault::wrong_value), std::pair(Verdict::crash, Fault::none),
        std::pair(Verdict::timeout, Fault::none)}) {
    Certification first = certification({"a"});
    Certification second = certification({"a"}, "2");
    add(first, "a", "v", Verdict::fail, Fault::wrongly_refused);
    add(second, "a", "v", verdict, fault);
    EXPECT_EQ(difference(first, second).adapters[0].differences[0].change, Change::broke);
    EXPECT_EQ(difference(second, first).adapters[0].differences[0].change, Change::changed);
  }
}

TEST(Difference, EqualVerdictsAreOnlyCounted) {
  Certification first = certification({"a"});
  add(first, "a", "v", Verdict::fail, Fault::wrong_value);
  const auto found = difference(first, first);
  EXPECT_THAT(found.adapters[0].differences, IsEmpty());
  EXPECT_EQ(found.adapters[0].same, 1U);
  EXPECT_EQ(difference_text(found), "a 1: 1 as before\n");
}

TEST(Difference, VectorsOfOneSideAreNewOrGone) {
  Certification first = certification({"a"});
  Certification second = certification({"a"}, "2");
  add(first, "a", "old", Verdict::pass);
  add(second, "a", "new", Verdict::fail, Fault::wrong_value);
  second.manifest_digest = std::string(64, 'b');
  const auto found = difference(first, second);
  EXPECT_EQ(found.adapters[0].count(Change::added), 1U);
  EXPECT_EQ(found.adapters[0].count(Change::removed), 1U);
  EXPECT_FALSE(found.has(Change::broke));
  EXPECT_THAT(difference_text(found), HasSubstr("different versions of the vectors"));
}

TEST(Difference, WhatBrokeComesFirst) {
  Certification first = certification({"a"});
  Certification second = certification({"a"}, "2");
  add(first, "a", "fixed", Verdict::crash);
  add(first, "a", "broken", Verdict::pass);
  add(second, "a", "fixed", Verdict::pass);
  add(second, "a", "broken", Verdict::crash);
  EXPECT_EQ(difference(first, second).adapters[0].differences[0].vector, "broken");
}

TEST(Difference, AdaptersAreMatchedByName) {
  const auto found = difference(certification({"a", "b"}), certification({"b", "c"}));
  ASSERT_EQ(found.adapters.size(), 1U);
  EXPECT_EQ(found.adapters[0].after.name, "b");
  EXPECT_THAT(found.only_before, ElementsAre("a"));
  EXPECT_THAT(found.only_after, ElementsAre("c"));
}

TEST(Difference, TwoSingleAdaptersAreComparedWhateverTheirNames) {
  const auto found = difference(certification({"mine"}), certification({"mine-next"}, "2"));
  EXPECT_EQ(difference_text(found), "mine 1 → mine-next 2: 0 as before\n");
}

TEST(Difference, OfNothingInCommonIsAnError) {
  EXPECT_THROW(difference(certification({"a", "b"}), certification({"c", "d"})), Error);
}

TEST(Difference, InMarkdownIsAWholeTableWhateverAMessageContains) {
  Certification first = certification({"a"});
  Certification second = certification({"a"}, "2");
  add(first, "a", "v", Verdict::pass);
  add(second, "a", "v", Verdict::crash);
  second.results[0].reason = "a | b\n<script>`x`";
  const std::string text = difference_markdown(difference(first, second));
  EXPECT_THAT(text, HasSubstr("| PASS | CRASH | a \\| b \\<script>\\`x\\` |\n"));
  EXPECT_THAT(text, Not(HasSubstr("b\n<")));
}

}  // namespace
}  // namespace ifcert::conformance
