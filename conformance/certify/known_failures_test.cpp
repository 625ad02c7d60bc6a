#include "conformance/certify/known_failures.hpp"

#include <gmock/gmock.h>

#include "conformance/certify/certify.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

Result result(Verdict verdict, Fault fault = Fault::none) {
  Result made;
  made.adapter = "a";
  made.vector = "v";
  made.verdict = verdict;
  made.fault = fault;
  return made;
}

/// A list that has the vector as FAIL (wrong-value).
const KnownFailures listed{"a", {{"v", Verdict::fail, Fault::wrong_value, "https://example.org/1", "a note"}}};
const KnownFailures nothing_listed{"a", {}};

Certification held(const Result& found, const KnownFailures& list) {
  Certification certification;
  certification.results = {found};
  compare_with_lists(std::span(&list, 1), certification);
  return certification;
}

std::vector<std::string> kinds(const Certification& certification) {
  std::vector<std::string> words;
  words.reserve(certification.breaches.size());
  for (const ListBreach& breach : certification.breaches) words.push_back(to_string(breach.kind));
  return words;
}

TEST(KnownFailures, AreGreenWhenTheyFailAsListed) {
  const Certification certification = held(result(Verdict::fail, Fault::wrong_value), listed);
  EXPECT_THAT(kinds(certification), IsEmpty());
  EXPECT_TRUE(certification.results[0].known);
  EXPECT_EQ(certification.results[0].link, "https://example.org/1");
  EXPECT_EQ(exit_code(certification), 0);
}

TEST(KnownFailures, FailTheRunInFourWays) {
  EXPECT_THAT(kinds(held(result(Verdict::pass), listed)), ElementsAre("listed-and-passes"));
  EXPECT_THAT(kinds(held(result(Verdict::fail, Fault::wrong_value), nothing_listed)),
              ElementsAre("unlisted-and-fails"));
  EXPECT_THAT(kinds(held(result(Verdict::fail, Fault::wrong_shape), listed)),
              ElementsAre("listed-and-fails-otherwise"));
  EXPECT_THAT(kinds(held(result(Verdict::crash), listed)), ElementsAre("listed-and-fails-otherwise"));
  EXPECT_THAT(kinds(held(result(Verdict::unsupported), listed)), ElementsAre("listed-and-unsupported"));
  EXPECT_EQ(exit_code(held(result(Verdict::pass), listed)), 1);
}

TEST(KnownFailures, OfTwoLimitsAreGreenWhicheverIsMetFirst) {
  const KnownFailures race{"a",
                           {{"v", Verdict::memory, Fault::none, "https://example.org/1", "a note", Verdict::timeout}}};
  for (const Verdict met : {Verdict::memory, Verdict::timeout}) {
    EXPECT_THAT(kinds(held(result(met), race)), IsEmpty());
    EXPECT_TRUE(held(result(met), race).results[0].known);
  }
  const Certification crashed = held(result(Verdict::crash), race);
  EXPECT_THAT(kinds(crashed), ElementsAre("listed-and-fails-otherwise"));
  EXPECT_THAT(crashed.breaches[0].message, HasSubstr("listed as MEMORY or TIMEOUT"));
  EXPECT_THAT(kinds(held(result(Verdict::pass), race)), ElementsAre("listed-and-passes"));
}

TEST(KnownFailures, NameLeniencyToo) {
  const KnownFailures lenient{"a", {{"v", Verdict::lenient, Fault::none, "https://example.org/1", "a note"}}};
  EXPECT_THAT(kinds(held(result(Verdict::lenient), lenient)), IsEmpty());
  EXPECT_TRUE(held(result(Verdict::lenient), lenient).results[0].known);
  EXPECT_THAT(kinds(held(result(Verdict::lenient), nothing_listed)), ElementsAre("unlisted-and-lenient"));
  EXPECT_THAT(kinds(held(result(Verdict::fail, Fault::wrong_value), lenient)),
              ElementsAre("listed-and-fails-otherwise"));
  EXPECT_THAT(kinds(held(result(Verdict::not_shown), lenient)), ElementsAre("listed-and-not-shown"));
  EXPECT_THAT(kinds(held(result(Verdict::not_shown), nothing_listed)), IsEmpty());
}

TEST(KnownFailures, WithoutAListLetLeniencyPassButNoFailure) {
  Certification certification;
  certification.results = {result(Verdict::lenient)};
  compare_with_lists({}, certification);
  EXPECT_EQ(exit_code(certification), 0);
  certification.results.push_back(result(Verdict::fail, Fault::wrong_value));
  compare_with_lists({}, certification);
  EXPECT_EQ(exit_code(certification), 1);
}

/// NOT-IF, which was FAIL (wrong-value).
Result not_if() {
  Result made = result(Verdict::not_if, Fault::wrong_value);
  made.failed_as = Verdict::fail;
  made.without_ifs = SiblingResult{SiblingOutcome::fails_alike};
  return made;
}

TEST(KnownFailures, NameWhatIsNotTheIfToo) {
  KnownFailure entry{"v", Verdict::not_if, Fault::wrong_value, "https://example.org/1", "a note"};
  entry.failed_as = Verdict::fail;
  const KnownFailures list{"a", {entry}};
  EXPECT_THAT(kinds(held(not_if(), nothing_listed)), ElementsAre("unlisted-and-not-if"));
  EXPECT_THAT(kinds(held(not_if(), list)), IsEmpty());
  EXPECT_THAT(kinds(held(not_if(), listed)), ElementsAre("listed-and-fails-otherwise"));
  EXPECT_TRUE(is_as_listed(std::span(&list, 1), result(Verdict::fail, Fault::wrong_value)))
      << "before siblings are run";
  EXPECT_THAT(kinds(held(result(Verdict::fail, Fault::wrong_value), list)), IsEmpty()) << "no siblings were run";
  Result of_if = result(Verdict::fail, Fault::wrong_value);
  of_if.without_ifs = SiblingResult{SiblingOutcome::computes};
  EXPECT_THAT(held(of_if, list).breaches.at(0).message,
              HasSubstr("FAIL (wrong-value), listed as NOT-IF (wrong-value)"));
}

TEST(KnownFailures, WithoutAListLetNothingPassThatIsNotTheIf) {
  Certification certification;
  certification.results = {not_if()};
  compare_with_lists({}, certification);
  EXPECT_THAT(kinds(certification), ElementsAre("unlisted-and-not-if"));
}

TEST(KnownFailures, ThatAreUnstableMayHaveAnyResult) {
  const KnownFailures unstable{"a", {{"v", Verdict::fail, Fault::unstable, "https://example.org/1", "a note"}}};
  for (const Verdict verdict : {Verdict::fail, Verdict::crash, Verdict::timeout, Verdict::memory}) {
    const Certification certification = held(result(verdict, Fault::none), unstable);
    EXPECT_THAT(kinds(certification), IsEmpty()) << to_string(verdict);
    EXPECT_TRUE(certification.results[0].known) << to_string(verdict);
  }
  EXPECT_THAT(kinds(held(result(Verdict::pass), unstable)), IsEmpty());
  EXPECT_FALSE(held(result(Verdict::pass), unstable).results[0].known);
  EXPECT_THAT(kinds(held(result(Verdict::unsupported), unstable)), IsEmpty()) << "a type code that does not exist";
  EXPECT_THAT(kinds(held(result(Verdict::adapter), unstable)), ElementsAre("listed-and-fails-otherwise"));
}

TEST(KnownFailures, DoNotExcuseTheAdapterItself) {
  EXPECT_THAT(kinds(held(result(Verdict::adapter), nothing_listed)), ElementsAre("unlisted-and-fails"));
  EXPECT_THAT(kinds(held(result(Verdict::adapter), listed)), ElementsAre("listed-and-fails-otherwise"));
}

TEST(KnownFailures, LeaveUnlistedPassesAndUnsupportedAlone) {
  EXPECT_THAT(kinds(held(result(Verdict::pass), nothing_listed)), IsEmpty());
  EXPECT_THAT(kinds(held(result(Verdict::unsupported), nothing_listed)), IsEmpty());
}

TEST(KnownFailures, OfAnotherAdapterDoNotCount) {
  KnownFailures other = listed;
  other.adapter = "b";
  EXPECT_THAT(kinds(held(result(Verdict::fail, Fault::wrong_value), other)), ElementsAre("unlisted-and-fails"));
}

TEST(KnownFailures, IgnoreVectorsThatWereNotSelected) {
  Certification certification;
  compare_with_lists(std::span(&listed, 1), certification);
  EXPECT_THAT(kinds(certification), IsEmpty());
}

TEST(KnownFailures, DoNotExcuseAVectorThatWasNotJudged) {
  const Certification certification = held(result(Verdict::harness), listed);
  EXPECT_THAT(kinds(certification), IsEmpty());
  EXPECT_FALSE(certification.results[0].known);
  EXPECT_EQ(exit_code(certification), 2);
}

class ListFile : public testing::Test {
 protected:
  KnownFailures read(const json& failures) const {
    project.list_failures("honest", failures);
    return read_known_failures(project.project(), "honest", read_suite(project.project()));
  }

  static json entry(const char* vector) {
    return {{"vector", vector}, {"verdict", "FAIL"}, {"fault", "wrong-value"}, {"link", "l"}, {"note", "n"}};
  }

  static json deviating(const char* id) {
    json made = entry("onnx/test/negate/b-trap");
    made.erase("link");
    made["deviation"] = id;
    return made;
  }

  TestProject project;
};

TEST_F(ListFile, ThatIsMissingIsAnEmptyList) {
  const KnownFailures list = read_known_failures(project.project(), "honest", read_suite(project.project()));
  EXPECT_THAT(list.failures, IsEmpty());
}

TEST_F(ListFile, IsRead) {
  const KnownFailures list = read(json::array({entry("onnx/test/negate/b-trap")}));
  ASSERT_EQ(list.failures.size(), 1U);
  EXPECT_EQ(list.failures[0].fault, Fault::wrong_value);
}

TEST_F(ListFile, OfAnAdapterNamedByItsPathIsInItsFolder) {
  project.adapter("honest");
  project.list_failures("honest", json::array({entry("onnx/test/negate/b-trap")}));
  const std::string path = (project.project().adapters() / "honest").string();
  const KnownFailures list = read_known_failures(project.project(), path, read_suite(project.project()));
  EXPECT_EQ(list.adapter, "honest");
  EXPECT_EQ(list.failures.size(), 1U);
}

TEST_F(ListFile, LeadsToThePageOfADeviationThatItNames) {
  replace_file(project.project().deviations() / "honest.json", R"({"records": [{"id": "honest-traps"}]})");
  const KnownFailures list = read(json::array({deviating("honest-traps")}));
  ASSERT_EQ(list.failures.size(), 1U);
  EXPECT_EQ(list.failures[0].link, "docs/deviations/honest.md#honest-traps");
}

TEST_F(ListFile, CannotNameADeviationWithoutARecord) {
  EXPECT_THAT([this] { read(json::array({deviating("honest-traps")})); },
              ThrowsMessage<Error>(AllOf(HasSubstr("the entry of onnx/test/negate/b-trap names the deviation"),
                                         HasSubstr("honest-traps, which has no record in conformance/deviations"))));
  replace_file(project.project().deviations() / "honest.json", R"({"records": [{"title": "t"}]})");
  EXPECT_THAT([this] { read(json::array({deviating("honest-traps")})); },
              ThrowsMessage<Error>(HasSubstr("honest.json: expected \"records\", each with an \"id\"")));
}

TEST_F(ListFile, HasEitherALinkOrADeviation) {
  json both = deviating("honest-traps");
  both["link"] = "https://example.org/1";
  EXPECT_THAT([&] { read(json::array({both})); }, ThrowsMessage<Error>(HasSubstr("schema")));
  json neither = both;
  neither.erase("link");
  neither.erase("deviation");
  EXPECT_THAT([&] { read(json::array({neither})); }, ThrowsMessage<Error>(HasSubstr("schema")));
}

TEST_F(ListFile, CannotListAnUnknownVector) {
  EXPECT_THAT([this] { read(json::array({entry("onnx/test/negate/gone")})); },
              ThrowsMessage<Error>(HasSubstr("which is not a vector")));
}

TEST_F(ListFile, CannotListAVectorTwice) {
  const json once = entry("onnx/test/negate/b-trap");
  EXPECT_THAT([&] { read({once, once}); }, ThrowsMessage<Error>(HasSubstr("twice")));
}

TEST_F(ListFile, CannotListADefectOfTheAdapter) {
  json adapter = entry("onnx/test/negate/b-trap");
  adapter["verdict"] = "ADAPTER";
  adapter.erase("fault");
  EXPECT_THAT([&] { read(json::array({adapter})); }, ThrowsMessage<Error>(HasSubstr("schema")));
}

TEST_F(ListFile, NamesTheFaultOfEachFailure) {
  json bare = entry("onnx/test/negate/b-trap");
  bare.erase("fault");
  EXPECT_THAT([&] { read(json::array({bare})); }, ThrowsMessage<Error>(HasSubstr("schema")));
}

}  // namespace
}  // namespace ifcert::conformance
