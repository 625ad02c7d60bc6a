#include "conformance/suite/kept_words.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "conformance/certify/journal.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_runner.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

json zeros(std::size_t bytes) {
  return {{"kind", "tensor"}, {"type", "int8"}, {"shape", {bytes}}, {"data", std::string(bytes / 3 * 4, 'A')}};
}

json named(const json& value) {
  return {{"name", "y"}, {"value", value}};
}

TEST(KeptAnswer, IsTheAnswerWhereThatIsSmall) {
  for (const json& answer : {json{{"outputs", {named(zeros(300))}}}, json{{"refused", {{"message", "m"}}}},
                             json{{"loaded", {{"outputs", {{{"name", "y"}, {"type", nullptr}, {"shape", {"N", 3}}}}}}}},
                             json{{"runs", {{{"outputs", {named(zeros(3))}}}, {{"refused", {{"message", "m"}}}}}}}}) {
    EXPECT_EQ(kept_answer(answer), answer);
  }
}

TEST(KeptAnswer, HasALargeValueAsPeopleReadIt) {
  const json kept = kept_answer({{"outputs", {named(zeros(3)), named(zeros(30'000))}}});
  EXPECT_EQ(kept.at("outputs").at(0), named(zeros(3)));
  const json& large = kept.at("outputs").at(1).at("value");
  EXPECT_EQ(large.at("kind"), "other");
  EXPECT_THAT(large.at("is").get<std::string>(), StartsWith("int8 [30000]: 0, 0, 0,"));
  EXPECT_THAT(large.at("is").get<std::string>(), EndsWith(" bytes, not kept)"));
  EXPECT_EQ(readable(large), large.at("is").get<std::string>()) << "what a report shows";
  const json text{{"kind", "tensor"}, {"type", "string"}, {"shape", {1}}, {"strings", {std::string(40'000, 'A')}}};
  const json cut = kept_answer({{"outputs", {named(text)}}}).at("outputs").at(0).at("value");
  EXPECT_LT(cut.at("is").get<std::string>().size(), 1100U);
}

TEST(KeptAnswer, HasOnlyTheFirstOfManyThings) {
  const json port{{"name", "y"}, {"type", nullptr}, {"shape", json(1000, 1)}};
  const json loaded = kept_answer({{"loaded", {{"outputs", json(1000, port)}}}}).at("loaded").at("outputs");
  EXPECT_EQ(loaded.size(), 65U);
  EXPECT_EQ(loaded.back().at("name"), "and 936 more outputs, which are not kept");
  EXPECT_EQ(loaded.front().at("shape").back(), "and 936 more dimensions");
  const json outputs = kept_answer({{"outputs", json(1000, named(zeros(3)))}}).at("outputs");
  EXPECT_EQ(outputs.back().at("value").at("is"), "and 936 more outputs, which are not kept");
  const json runs = kept_answer({{"runs", json(1000, {{"refused", {{"message", "m"}}}})}}).at("runs");
  EXPECT_EQ(runs.back().at("outputs").at(0).at("value").at("is"), "and 936 more runs");
}

TEST(KeptAnswer, ThatIsCutMatchesTheProtocol) {
  const Schema schema(TestProject().project().protocol("answer.schema.json"));
  const json port{{"name", "y"}, {"type", nullptr}, {"shape", json(1000, 1)}};
  for (json answer :
       {json{{"loaded", {{"outputs", json(1000, port)}}}}, json{{"outputs", json(1000, named(zeros(3)))}},
        json{{"outputs", {named(zeros(30'000))}}}, json{{"runs", json(1000, {{"refused", {{"message", "m"}}}})}}}) {
    answer["id"] = 1;
    EXPECT_EQ(schema.fault(kept_answer(answer)), "");
  }
}

Result wordy() {
  Result result;
  result.verdict = Verdict::fail;
  result.reason = std::string(1000, 'r');
  result.got = {{"refused", {{"message", std::string(1000, 'm')}}}};
  result.evidence = std::string(1000, '\x01');
  result.link = "https://example.org";
  return result;
}

TEST(WordsOfAResult, AreKeptWithinTheirLimit) {
  Result result = wordy();
  const std::size_t bytes = keep_within(result, 10'000);
  EXPECT_GT(bytes, 8000U) << "a control character takes six bytes in a file";
  EXPECT_EQ(result.evidence.size(), 1000U);
  EXPECT_LT(keep_within(result, 2000), 500U);
  EXPECT_TRUE(result.got.is_null());
  EXPECT_EQ(result.evidence, "");
  EXPECT_EQ(result.link, "");
  EXPECT_THAT(result.reason, StartsWith("rrrr"));
  EXPECT_THAT(result.reason, EndsWith("(not all that it said is kept: " + std::to_string(bytes) + " bytes)"));
}

TEST(WordsOfAResult, ThatAreFewAreKeptWhateverTheLimit) {
  Result result = wordy();
  keep_within(result, 0);
  const std::string reason = result.reason = "the model was refused";
  keep_within(result, 0);
  EXPECT_EQ(result.reason, reason);
  Result pass;
  pass.verdict = Verdict::pass;
  pass.got = {{"refused", {{"message", "m"}}}};
  keep_within(pass, 0);
  EXPECT_EQ(pass.reason, "") << "a pass has none";
}

TEST_F(Runner, EndsAVectorWhoseAnswersAreTooLong) {
  const Certification certification = certified("honest", {.limits = {.vector_answers = 100}});
  for (const Result& result : certification.results) {
    EXPECT_EQ(verdict_line(result), "ADAPTER") << result.vector;
    EXPECT_THAT(result.reason, HasSubstr("bytes by now; the limit is 100"));
  }
}

TEST_F(Runner, EndsTheRunOfAnAdapterThatSaysTooMuch) {
  const Certification certification = certified("honest", {.limits = {.run_answers = 100}});
  EXPECT_THAT(verdicts(certification), testing::ElementsAre("PASS", "ADAPTER", "ADAPTER", "ADAPTER", "ADAPTER"));
  EXPECT_EQ(certification.results.back().reason,
            "not run: the adapter's answers to other vectors have more than 100 bytes in this run");
}

TEST_F(Runner, KeepsOnlySoManyWordsOfAnAdapter) {
  const Certification whole = certified("refuse_everything");
  std::size_t words = 0;
  for (const Result& result : whole.results) words += words_in(result);
  const Certification certification = certified("refuse_everything", {.limits = {.run_words = words / 2}});
  const auto kept =
      std::ranges::count_if(certification.results, [](const Result& each) { return !each.got.is_null(); });
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 5) << "of five";
}

TEST_F(Runner, CountsTheWordsOfTheResultsThatItResumes) {
  const Adapter adapter = project.adapter("refuse_everything");
  const Suite suite = read_suite(project.project());
  CertificationOptions options{.limits = {patience, patience}};
  const std::filesystem::path file = project.project().root / "out" / "part";
  std::size_t first = 0;
  {
    Journal journal = Journal::begin(file, plan_of(suite, std::span(&adapter, 1), options));
    options.journal = &journal;
    const Certification whole = certify(project.project(), suite, std::span(&adapter, 1), options);
    first = words_in(whole.results.front());
    ASSERT_FALSE(whole.results.front().got.is_null());
  }
  const std::string all = read_file(file);
  const std::string trial = R"({"round")";
  replace_file(file, all.substr(0, all.find(trial, all.find(trial) + 1)));  // the first trial alone
  options.limits.run_words = first * 3 / 2;
  Journal journal = Journal::resume(project.project(), file, plan_of(suite, std::span(&adapter, 1), options));
  options.journal = &journal;
  const Certification resumed = certify(project.project(), suite, std::span(&adapter, 1), options);
  EXPECT_EQ(std::ranges::count_if(resumed.results, [](const Result& each) { return !each.got.is_null(); }), 1);
}

TEST_F(Runner, RejectsAnAnswerThatRepeatsAKey) {
  const Result result = trapped("repeats_a_key");
  EXPECT_EQ(verdict_line(result), "ADAPTER");
  EXPECT_THAT(result.reason, StartsWith("a line that repeats the key 'outputs': '{"));
}

}  // namespace
}  // namespace ifcert::conformance
