#include "conformance/results/results_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "conformance/results/line_digests.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_project.hpp"

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
  adapter.runs_models = false;
  adapter.unsupported_features = json::array();
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
  crash.confirmed_by = "u";
  pass.runtime_milliseconds = 0.25;
  pass.vector_digest = std::string(16, 'd');
  certification.wall_times["a"] = {.seconds = 1.5, .retry_seconds = 0.25};
  certification.shard = std::string("1/3");
  certification.kept = {1, "2023-12-01T00:00:00Z"};
  certification.isolation = {{"network", "shared"}};
  certification.results = {pass, crash};
  return certification;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The lines with matching digests, as written by somebody who recomputes them.
std::string forged(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  LineDigests digests;
  for (std::string& line : lines) {
    nlohmann::ordered_json content = nlohmann::ordered_json::parse(line);
    content.erase("sha256");
    line = digests.with_digest(content);
  }
  return text_of(lines);
}

class ResultsFile : public testing::Test {
 protected:
  ResultsFile() : file(project.project().root / "out" / "results.jsonl") { write_results(sample(), file); }

  Certification read() const { return read_results(project.project(), file); }

  /// Reads what remains when the text is changed like this.
  void expect_refusal(const std::string& changed, const std::string& why) const {
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
  EXPECT_FALSE(certification.adapters.at(0).runs_models);
  ASSERT_EQ(certification.results.size(), 2U);
  EXPECT_EQ(certification.results[0].verdict, Verdict::pass);
  EXPECT_EQ(certification.results[0].runtime_milliseconds, 0.25);
  EXPECT_EQ(certification.results[0].vector_digest, std::string(16, 'd'));
  EXPECT_EQ(certification.results[1].vector_digest, "") << "older files have none";
  EXPECT_EQ(certification.shard, "1/3");
  EXPECT_EQ(certification.kept.results, 1U);
  EXPECT_EQ(certification.kept.since, "2023-12-01T00:00:00Z");
  EXPECT_EQ(certification.isolation, sample().isolation);
  const Result& crash = certification.results[1];
  EXPECT_EQ(verdict_line(crash), "CRASH (signal 11)");
  EXPECT_EQ(crash.step, 1U);
  EXPECT_FALSE(crash.runtime_milliseconds.has_value());
  EXPECT_EQ(crash.evidence, "last words\n");
  EXPECT_EQ(crash.expected, sample().results[1].expected);
  EXPECT_TRUE(crash.known);
  EXPECT_EQ(crash.confirmed_by, "u");
  EXPECT_EQ(certification.wall_times.at("a").seconds, 1.5);
  EXPECT_EQ(certification.wall_times.at("a").retry_seconds, 0.25);
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

TEST_F(ResultsFile, WithAnyByteChangedIsRefusedNamingTheLine) {
  const std::string text = read_file(file);
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    SCOPED_TRACE(fmt::format("byte {}", at));
    expect_refusal(changed, fmt::format("its line {} ", line));
  }
}

TEST_F(ResultsFile, WithAnyByteMoreOrLessIsRefused) {
  const std::string text = read_file(file);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    for (const char* more : {" ", "\n"}) {
      std::string changed = text;
      replace_file(file, changed.insert(at, more));
      EXPECT_THROW(read(), Error) << at;
    }
    if (at == text.size()) continue;
    std::string changed = text;
    replace_file(file, changed.erase(at, 1));
    EXPECT_THROW(read(), Error) << at;
  }
}

TEST_F(ResultsFile, WithALineMissingRepeatedOrMovedIsRefusedNamingTheLine) {
  const std::vector<std::string> lines = lines_of(read_file(file));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE(i);
    std::vector<std::string> fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    expect_refusal(text_of(fewer), fmt::format("its line {}", i + 1 < lines.size() ? i + 1 : i));
    std::vector<std::string> more = lines;
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    expect_refusal(text_of(more), fmt::format("its line {} ", i + 2));
    std::vector<std::string> swapped = lines;
    if (i + 1 == lines.size()) continue;
    std::swap(swapped[i], swapped[i + 1]);
    expect_refusal(text_of(swapped), fmt::format("its line {} ", i + 1));
  }
}

TEST_F(ResultsFile, ChangedTogetherWithOneDigestIsRefusedAtTheNextLine) {
  std::vector<std::string> lines = lines_of(read_file(file));
  std::vector<std::string> other = lines_of(forged(text_of(lines).replace(text_of(lines).find("PASS"), 4, "FAIL")));
  lines[1] = other[1];
  expect_refusal(text_of(lines), "its line 3 was changed, or does not follow the line before it");
}

TEST_F(ResultsFile, OfAnEarlierFormatIsRefusedByName) {
  expect_refusal(R"({"ifcert":2,"manifest":""})"
                 "\n",
                 "its format is 2; this ifcert reads format 3");
}

TEST_F(ResultsFile, ThatLostALineIsNotAResult) {
  const std::string text = read_file(file);
  const std::size_t begin = text.find('\n') + 1;
  expect_refusal(text.substr(0, begin) + text.substr(text.find('\n', begin) + 1),
                 "its line 2 was changed, or does not");
  expect_refusal(forged(read_file(file)), "counts 2 results, it has 1");
}

TEST_F(ResultsFile, WhoseVerdictsWereChangedIsNotAResult) {
  std::string text = read_file(file);
  expect_refusal(forged(text.replace(text.find("CRASH"), 5, "PASS")), "its footer counts");
}

TEST_F(ResultsFile, WithTwoResultsOfOneVectorIsNotAResult) {
  std::string text = read_file(file);
  expect_refusal(forged(text.replace(text.find(R"("vector":"w")"), 12, R"("vector":"v")")), "two results of a on v");
}

TEST_F(ResultsFile, WithAnUnknownMemberIsNotAResult) {
  std::string text = read_file(file);
  expect_refusal(forged(text.replace(text.find(R"("signal")"), 8, R"("sigmal")")), "schema");
}

}  // namespace
}  // namespace ifcert::conformance
