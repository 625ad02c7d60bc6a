#include "conformance/results_file.hpp"

#include <gmock/gmock.h>

#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

Certification sample() {
  Certification certification;
  certification.manifest_digest = std::string(64, 'a');
  certification.started = "2024-01-01T00:00:00Z";
  certification.ended = "2024-01-01T00:00:01Z";
  certification.selector = "--rule 'r'";
  certification.limits = {{"jobs", 2}};
  AdapterIdentity adapter;
  adapter.name = "a";
  adapter.computes = false;
  adapter.cannot = json::array();
  certification.adapters = {adapter};
  Result pass;
  pass.adapter = "a";
  pass.vector = "v";
  pass.rule = "r";
  pass.verdict = Verdict::pass;
  Result crash = pass;
  crash.vector = "w";
  crash.verdict = Verdict::crash;
  crash.signal = 11;
  crash.step = 1;
  crash.phase = "run";
  crash.expected = {{"refused", json::object()}};
  crash.evidence = "last words\n";
  crash.known = true;
  pass.runtime_milliseconds = 0.25;
  certification.shard = std::string("1/3");
  certification.isolation = {{"network", "shared"}};
  certification.results = {pass, crash};
  return certification;
}

class ResultsFile : public testing::Test {
 protected:
  ResultsFile() : file(project.project().root / "out" / "results.jsonl") { write_results(sample(), file); }

  Certification read() const { return read_results(project.project(), file); }

  /// Reads what remains when the text is changed so.
  void expect_refusal(const std::string& changed, const char* why) const {
    replace_file(file, changed);
    EXPECT_THAT([this] { read(); }, ThrowsMessage<Error>(HasSubstr(why)));
  }

  TestProject project;
  std::filesystem::path file;
};

TEST_F(ResultsFile, ReadsWhatWasWritten) {
  const Certification certification = read();
  EXPECT_EQ(certification.manifest_digest, std::string(64, 'a'));
  EXPECT_EQ(certification.selector, "--rule 'r'");
  EXPECT_FALSE(certification.adapters.at(0).computes);
  ASSERT_EQ(certification.results.size(), 2U);
  EXPECT_EQ(certification.results[0].verdict, Verdict::pass);
  EXPECT_EQ(certification.results[0].runtime_milliseconds, 0.25);
  EXPECT_EQ(certification.shard, "1/3");
  EXPECT_EQ(certification.isolation, sample().isolation);
  const Result& crash = certification.results[1];
  EXPECT_EQ(verdict_line(crash), "CRASH (signal 11)");
  EXPECT_EQ(crash.step, 1U);
  EXPECT_FALSE(crash.runtime_milliseconds.has_value());
  EXPECT_EQ(crash.evidence, "last words\n");
  EXPECT_EQ(crash.expected, sample().results[1].expected);
  EXPECT_TRUE(crash.known);
}

TEST_F(ResultsFile, LeavesNoTemporaryFileBehind) {
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(file.parent_path())) ++files;
  EXPECT_EQ(files, 1U);
}

TEST_F(ResultsFile, WithoutItsFooterIsNotAResult) {
  const std::string text = read_file(file);
  expect_refusal(text.substr(0, text.find(R"({"footer")")), "no footer");
}

TEST_F(ResultsFile, CutAnywhereIsNotAResult) {
  const std::string text = read_file(file);
  for (std::size_t length = 0; length < text.size(); length += 7) {
    replace_file(file, text.substr(0, length));
    EXPECT_THROW(read(), Error) << length;
  }
}

TEST_F(ResultsFile, ThatLostALineIsNotAResult) {
  const std::string text = read_file(file);
  const std::size_t begin = text.find('\n') + 1;
  expect_refusal(text.substr(0, begin) + text.substr(text.find('\n', begin) + 1), "counts 2 results, it has 1");
}

TEST_F(ResultsFile, WhoseVerdictsWereChangedIsNotAResult) {
  std::string text = read_file(file);
  expect_refusal(text.replace(text.find("CRASH"), 5, "PASS"), "its footer counts");
}

TEST_F(ResultsFile, WithTwoResultsOfOneVectorIsNotAResult) {
  std::string text = read_file(file);
  expect_refusal(text.replace(text.find(R"("vector":"w")"), 12, R"("vector":"v")"), "two results of a on v");
}

TEST_F(ResultsFile, WithAnUnknownMemberIsNotAResult) {
  std::string text = read_file(file);
  expect_refusal(text.replace(text.find(R"("signal")"), 8, R"("sigmal")"), "schema");
}

}  // namespace
}  // namespace ifcert::conformance
