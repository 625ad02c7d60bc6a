#include "conformance/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "conformance/report/drawings.hpp"
#include "conformance/report/formats.hpp"
#include "conformance/report/sample_certification.hpp"
#include "conformance/results/counts.hpp"
#include "conformance/system/compressed.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/one_line.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(fs::temp_directory_path() / ("ifcert-report-" + name + "-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  fs::path path_;
};

/// The elements of an XML text in the order of their start tags; fails where a closing tag has no opening one.
std::vector<std::string> elements_of(const std::string& xml) {
  std::vector<std::string> elements;
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z-]+)((?: [a-z]+=\"[^\"<]*\")*)(/?)>");
  for (std::sregex_iterator at(xml.begin(), xml.end(), tag), end; at != end; ++at) {
    const std::string name = (*at)[2];
    if ((*at)[1] == "/") {
      EXPECT_FALSE(open.empty() || open.back() != name) << "</" << name << "> closes nothing";
      if (!open.empty()) open.pop_back();
    } else {
      elements.push_back(name + (*at)[3].str());
      if ((*at)[4].str().empty()) open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
  return elements;
}

std::string junit_of(const Certification& certification) {
  return junit_xml(Counted(certification));
}
std::string page_of(const Certification& certification) {
  return report_html(report_json(Counted(certification)));
}

TEST(ReportJson, MatchesItsSchema) {
  const Schema schema(fs::path(IFCERT_SCHEMAS) / "report.schema.json");
  nlohmann::json report = report_json(Counted(sample_certification()));
  EXPECT_EQ(schema.fault(report), "");
  report["results"][0]["verdict"] = "FINE";
  EXPECT_NE(schema.fault(report), "");
}

TEST(ReportJson, MatchesItsSchemaWithoutResults) {
  const Schema schema(fs::path(IFCERT_SCHEMAS) / "report.schema.json");
  EXPECT_EQ(schema.fault(report_json(Counted(Certification{}))), "");
}

TEST(ReportJson, IsTheSameTextForTheSameCertification) {
  const auto text = [] { return as_text(report_json(Counted(sample_certification()))); };
  EXPECT_EQ(text(), text());
  EXPECT_EQ(text(), as_text(nlohmann::json::parse(text())));  // keys in order, nothing lost
}

TEST(ReportJson, ShowsBytesThatAreNotUtf8AsReplacementCharacters) {
  EXPECT_THAT(as_text(report_json(Counted(sample_certification()))), HasSubstr("assertion failed\xEF\xBF\xBD\\n"));
}

TEST(Counts, AddUpToTheVectorsInScope) {
  const Certification sample = sample_certification();
  const Counted counted(sample);
  for (const AdapterIdentity& adapter : sample.adapters) {
    std::size_t vectors = 0;
    for (const Axis axis : all_axes) {
      const Counts counts = counted.total(adapter.name, axis).vectors;
      std::size_t sum = 0;
      for (const auto& [verdict, count] : counts.verdicts) sum += count;
      EXPECT_EQ(sum, counts.total);
      vectors += sum;
    }
    EXPECT_EQ(vectors, adapter.name == "other-format" ? 1U : 17U);
  }
}

TEST(Counts, AreSeparateForEachAxis) {
  const Certification sample = sample_certification();
  const Counted counted(sample);
  const char* rule = "onnx/if/cond-single-element";
  EXPECT_TRUE(counted.counts("quick", rule, Axis::computes).holds());
  EXPECT_FALSE(counted.counts("quick", rule, Axis::diagnoses).holds());
  EXPECT_EQ(counted.counts("quick", rule, Axis::diagnoses).of(Verdict::lenient), 1U);
  EXPECT_EQ(counted.counts("quick", rule, Axis::diagnoses).failed(), 0U);
  EXPECT_EQ(counted.counts("quick", rule, Axis::open).total, 0U);
}

TEST(Counts, TreatAVectorWithoutResultAsNotRun) {
  const Certification sample = sample_certification();
  const Counts counts = Counted(sample).counts("shaky", "onnx/if/output-count", Axis::diagnoses);
  EXPECT_EQ(counts.of(Verdict::not_run), 1U);
  EXPECT_EQ(counts.total, 1U);
  EXPECT_FALSE(counts.holds());
}

TEST(Counts, ARuleWithoutVectorsDoesNotHold) {
  const Certification sample = sample_certification();
  EXPECT_FALSE(Counted(sample).counts("exact", "onnx/if/in-scan", Axis::computes).holds());
}

TEST(Counts, IncludeAVectorWhoseRuleIsInNoTable) {
  Certification sample = sample_certification();
  std::erase_if(sample.rules, [](const RuleSummary& rule) { return rule.name == "onnx/if/nesting"; });
  EXPECT_EQ(Counted(sample).total("exact", Axis::computes).vectors.total, 13U);
}

TEST(Counts, RefuseTwoResultsOfOneVector) {
  Certification sample = sample_certification();
  sample.results.push_back(sample.results.front());
  EXPECT_THROW(Counted{sample}, Error);
}

TEST(Counts, RefuseAResultOfAVectorThatIsNotListed) {
  Certification sample = sample_certification();
  sample.results.front().vector = "onnx/if/nowhere/none";
  EXPECT_THROW(Counted{sample}, Error);
}

TEST(Junit, HasASuiteForEachAdapterAndAxisAndACaseForEachVectorInItsScope) {
  const std::vector<std::string> elements = elements_of(junit_of(sample_certification()));
  const auto count = [&](const std::string& name) {
    return std::ranges::count_if(elements, [&](const std::string& each) { return each.starts_with(name + " "); });
  };
  EXPECT_EQ(count("testsuite"), 5 * 3 + 1 + 1);  // the rewritings of one adapter
  EXPECT_EQ(count("testcase"), 5 * 17 + 1 + 3);
}

TEST(Junit, CountsWhatItShows) {
  const Certification sample = sample_certification();
  const std::string xml = junit_of(sample);
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"quick, computes\" tests=\"13\" failures=\"3\" errors=\"1\" skipped=\"0\""));
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"quick, diagnoses\" tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"shaky, computes\" tests=\"13\" failures=\"0\" errors=\"3\" skipped=\"1\""));
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"checker, open\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
}

TEST(Junit, TellsFailuresErrorsAndSkippedApart) {
  const std::string xml = junit_of(sample_certification());
  EXPECT_THAT(xml, HasSubstr("<failure type=\"wrong-value\" message=\"FAIL (wrong-value): output 0"));
  EXPECT_THAT(xml, HasSubstr("<error type=\"CRASH\" message=\"CRASH (signal 11)"));
  EXPECT_THAT(xml, HasSubstr("<error type=\"HARNESS\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"UNSUPPORTED: declared: kind:optional: https://"));
  EXPECT_THAT(
      xml,
      HasSubstr("<skipped message=\"LENIENT: every step was accepted; the model should have been refused: https://"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"NOT-RUN: no result\"/>"));
}

TEST(Junit, NamesTheVectorThatRepresentsAFailure) {
  Certification sample = sample_certification();
  const auto failure = std::ranges::find(sample.results, Verdict::fail, &Result::verdict);
  failure->confirmed_by = failure->vector;
  EXPECT_THAT(junit_of(sample), HasSubstr("failed again: alone in a fresh process&#10;"));
  failure->confirmed_by = "onnx/other";
  EXPECT_THAT(junit_of(sample),
              HasSubstr("failed again: after onnx/other, which fails in the same way alone in a fresh process&#10;"));
}

TEST(Junit, HasNoCharacterThatXmlExcludes) {
  const std::string xml = junit_of(sample_certification());
  EXPECT_TRUE(std::ranges::none_of(xml, [](char letter) { return letter >= 0 && letter < 0x20 && letter != '\n'; }));
  EXPECT_THAT(xml, AllOf(HasSubstr("quick: assertion failed\xEF\xBF\xBD"), Not(HasSubstr("]]>"))));
}

TEST(Junit, EscapesMarkupQuotesLineEndsAndNoncharacters) {
  Certification sample = sample_certification();
  sample.vectors.front().id = sample.results.front().vector = "a<b>&\"c\"\n\td\xEF\xBF\xBE";
  sample.adapters.resize(1);
  std::erase_if(sample.results, [](const Result& result) { return result.adapter != "exact"; });
  EXPECT_THAT(junit_of(sample), HasSubstr("name=\"a&lt;b&gt;&amp;&quot;c&quot;&#10;&#9;d\xEF\xBF\xBD\""));
}

TEST(Page, LoadsNothing) {
  const std::string page(page_template());
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)\\s*=\\s*[\"']", std::regex::icase)));
  EXPECT_FALSE(std::regex_search(page, std::regex("url\\(|@import|<link|<iframe|fetch\\(|XMLHttpRequest")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(Page, NeverParsesMarkupFromData) {
  const std::string page(page_template());
  for (const char* sink : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval("}) {
    EXPECT_THAT(page, Not(HasSubstr(sink)));
  }
}

TEST(Page, KeepsHostileTextInsideItsData) {
  const std::string page = page_of(sample_certification());
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<img")), HasSubstr("\\u003c/script>\\u003cimg src=x")));
  const std::string empty = page_of(Certification{});
  const auto scripts = [closing = std::regex("</script")](const std::string& text) {
    return std::distance(std::sregex_iterator(text.begin(), text.end(), closing), std::sregex_iterator());
  };
  EXPECT_EQ(scripts(page), scripts(empty));
}

TEST(Page, HoldsTheWholeReport) {
  const Certification sample = sample_certification();
  const std::string page = page_of(sample);
  const std::string opening = "<script type=\"application/json\" id=\"report\">";
  const std::size_t begin = page.find(opening) + opening.size();
  const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(as_text(nlohmann::json::parse(data)), as_text(report_json(Counted(sample))));
}

TEST(Markdown, BeginsWithWhetherAllResultsMatchTheLists) {
  Certification sample = sample_certification();
  const auto text = [&sample] { return report_markdown(Counted(sample)); };
  EXPECT_THAT(text(),
              testing::StartsWith("## ifcert: conformance of If\n\n**✗ 1 result differs from the known-failure "));
  sample.breaches.clear();
  EXPECT_THAT(text(),
              testing::StartsWith("## ifcert: conformance of If\n\n**✓ All results match the known-failure lists"));
  sample.results.clear();
  EXPECT_THAT(text(), testing::StartsWith("## ifcert: conformance of If\n\n**✗ Nothing was run"));
}

TEST(Markdown, BeginsWithTheCausesTheWrongValuesFirst) {
  const std::string text = report_markdown(Counted(sample_certification()));
  EXPECT_THAT(text, HasSubstr("- <code>quick</code>: 3 wrong values, 1 crash or hang, 1 lenient\n"));
  const std::size_t wrong = text.find("| <code>quick</code> | wrong values: FAIL (wrong-value) at run | ");
  const std::size_t crash =
      text.find("| <code>quick</code> | crashes and hangs: CRASH (signal 11) at run | 1 computes | ");
  const std::size_t lenient = text.find("| <code>quick</code> | lenient: LENIENT at run | 1 diagnoses (1 known) | ");
  EXPECT_LT(wrong, crash);
  EXPECT_LT(crash, lenient);
  EXPECT_LT(lenient, text.find("### Runtimes"));
}

TEST(Markdown, FoldsAllButTheFirstCauses) {
  Certification sample = sample_certification();
  for (std::size_t i = 0; i < 30; ++i) {
    Result& result = sample.results.at(i);
    result.verdict = Verdict::fail;
    result.fault = Fault::wrongly_refused;
    result.reason = std::string(i + 1, 'x');
  }
  const std::string text = report_markdown(Counted(sample));
  EXPECT_TRUE(std::regex_search(text, std::regex("<summary>More causes: [0-9]+</summary>")));
}

TEST(Markdown, ShowsKOfNForTheRulesThatFailSomewhere) {
  const std::string text = report_markdown(Counted(sample_certification()));
  const std::string seen = text.substr(0, text.find("<details>"));
  EXPECT_THAT(
      seen,
      HasSubstr(
          "| <code>onnx/if/no-state-between-runs</code> | computes ✓ 3 of 3 | computes ✗ 0 of 3 (2 fail, 1 crash) |"));
  EXPECT_THAT(seen, HasSubstr("computes – 0 of 2 (2 unsupported)"));
  EXPECT_THAT(seen, HasSubstr("| <code>exact</code> <code>Exact 0.1.0</code> | computes | ✓ 13 of 13 | 7 of 7 | 0 |"));
  EXPECT_THAT(seen, Not(HasSubstr("| <code>openvino/if/then-when-true</code> |")));  // holds wherever it was run
  EXPECT_THAT(seen, Not(HasSubstr("| <code>onnx/if/types-of-opset</code> |")));      // fails nowhere: folded
  EXPECT_THAT(text, HasSubstr("| <code>onnx/if/types-of-opset</code> | computes ✓ 2 of 2 | computes ✓ 2 of 2 | "
                              "computes – 1 of 2 (1 unsupported)"));
  EXPECT_THAT(text, HasSubstr("Rules that no vector here tests</summary>\n\n- <code>onnx/if/in-scan</code>"));
}

TEST(Markdown, NamesUnlistedFailuresBeforeTheTableAndFoldsLeniency) {
  const std::string text = report_markdown(Counted(sample_certification()));
  const std::size_t unlisted =
      text.find("<code>onnx/if/no-state-between-runs/flip</code> on <code>quick</code>: CRASH");
  const std::size_t lenient = text.rfind("<code>onnx/if/cond-single-element/two-elements</code>");
  EXPECT_LT(unlisted, text.find("rules fail somewhere"));
  EXPECT_GT(lenient, text.find("<details><summary>Lenient: 1</summary>"));
}

// Text that GitHub would act on outside of code: a mention, a reference, emphasis, a column's end, markup, a new line.
TEST(Markdown, ShowsHostileTextAsCodeOfCharacterReferences) {
  const std::string text = report_markdown(Counted(sample_certification()));
  for (const char* live :
       {"<img", "</script>", "@everyone", "#1 ", "**bold**", "`code`", "\n## head", "\x1b", "\u202E"}) {
    EXPECT_THAT(text, Not(HasSubstr(live)));
  }
  EXPECT_THAT(text, HasSubstr("&#60;U+202E&#62;gnp.exe&#60;U+202C&#62; &#64;everyone &#35;1 &#124; &#96;code&#96;"));
  const std::regex span("<code>[^<>`*_|@#\\[\\]\n]*(&#[0-9]+;[^<>`*_|@#\\[\\]\n]*)*</code>");
  EXPECT_THAT(std::regex_replace(text, span, ""), Not(HasSubstr("everyone")));
}

TEST(Markdown, StaysWithinGitHubsLimitAndStatesHowMuchIsCut) {
  Certification sample = sample_certification();
  for (Result& result : sample.results) {
    result.verdict = Verdict::fail;
    result.fault = Fault::wrong_value;
    result.known = false;
    result.reason = std::string(5000, '@');
  }
  const std::string text = report_markdown(Counted(sample));
  EXPECT_LE(text.size(), 65536U);
  EXPECT_THAT(text, HasSubstr("more lines are in report.html.**"));
  EXPECT_THAT(text, HasSubstr("\nManifest <code>"));
}

TEST(Markdown, SaysHowManyResultsAreOfEarlierRuns) {
  Certification sample = sample_certification();
  const std::string said = "; <code>40 of 84 results are of earlier runs, since 2026-11-20T12:00:00Z</code>";
  EXPECT_THAT(report_markdown(Counted(sample)), HasSubstr(said));
  sample.kept = {};
  EXPECT_THAT(report_markdown(Counted(sample)), Not(HasSubstr("earlier runs")));
}

TEST(ShownLine, CutsALineBetweenCharacters) {
  EXPECT_EQ(one_line("éé\né", 5), "éé …");
  EXPECT_EQ(one_line("ééé", 5), "éé…");
  EXPECT_EQ(one_line("ééé", 6), "ééé");
  EXPECT_EQ(one_line("", 6), "");
}

TEST(Base64, FollowsTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

AdapterIdentity adapter_in(const std::string& folder) {
  AdapterIdentity adapter;
  adapter.name = "quick";
  adapter.folder = folder;
  return adapter;
}

TEST(Reproduce, NamesTheProgramAndTheAdapterByTheirPathsAndAnOutputOfItsOwn) {
  EXPECT_EQ(reproduce("/opt/bin/ifcert", adapter_in("/my/quick"), "onnx/if/a/b-1"),
            "/opt/bin/ifcert certify /my/quick --vector onnx/if/a/b-1 --out reproduced/quick/onnx/if/a/b-1");
  EXPECT_EQ(reproduce("", adapter_in(""), "a"), "ifcert certify quick --vector a --out reproduced/quick/a");
}

TEST(Reproduce, QuotesCharactersThatAShellInterprets) {
  EXPECT_EQ(reproduce("/a b/ifcert", adapter_in("/$HOME"), "a'; rm *"),
            "'/a b/ifcert' certify '/$HOME' --vector 'a'\\''; rm *' --out 'reproduced/quick/a'\\''; rm *'");
}

TEST(ReportJson, NamesTheCauseOfEachResultThatDoesNotPass) {
  const nlohmann::json report = report_json(Counted(sample_certification()));
  std::vector<std::size_t> counted(report.at("causes").size());
  for (const nlohmann::json& result : report.at("results")) {
    EXPECT_EQ(result.at("cause").is_null(), result.at("verdict") == "PASS");
    if (!result.at("cause").is_null()) ++counted.at(result.at("cause").get<std::size_t>());
  }
  for (std::size_t i = 0; i < counted.size(); ++i) EXPECT_EQ(report.at("causes")[i].at("results"), counted[i]);
}

TEST(ReportJson, ShowsTheRuntimesOwnLineOfACause) {
  const nlohmann::json report = report_json(Counted(sample_certification()));
  const auto crash = std::ranges::find_if(
      report.at("causes"), [](const nlohmann::json& cause) { return cause.at("line") == "CRASH (signal 11)"; });
  ASSERT_NE(crash, report.at("causes").end());
  EXPECT_EQ(crash->at("example"), "onnx/if/no-state-between-runs/flip");
  EXPECT_EQ(crash->at("message"), std::string(hostile) + "]]>");
}

TEST(WriteReport, MakesTheFolderAndLeavesFourWholeFiles) {
  const Folder folder("whole");
  write_report(sample_certification(), folder.path() / "deep");
  write_report(sample_certification(), folder.path());
  EXPECT_THAT(folder.names(), testing::ElementsAre("deep", "junit.xml", "report.html", "report.json", "report.md"));
  EXPECT_THAT(read_file(folder.path() / "report.html"), testing::EndsWith("</html>\n"));
}

TEST(WriteReport, FindsThePathToTheProjectThatContainsIt) {
  const Folder folder("project");
  write_report(sample_certification(), folder.path() / "outside");
  EXPECT_THAT(read_file(folder.path() / "outside" / "report.html"), HasSubstr("data-project=\"\""));
  replace_file(folder.path() / "vectors" / "manifest.json", "{}");
  write_report(sample_certification(), folder.path() / "results" / "today");
  EXPECT_THAT(read_file(folder.path() / "results" / "today" / "report.html"), HasSubstr("data-project=\"../../\""));
}

TEST(WriteReport, NamesAModelThatCannotBeDrawnAndTheReason) {
  const Folder folder("undrawn");
  replace_file(folder.path() / "broken.onnx", "\xff\xff");
  Certification sample = sample_certification();
  sample.vectors.front().model = folder.path() / "broken.onnx";
  const nlohmann::json drawings = drawings_of(sample);
  EXPECT_THAT(drawings["undrawn"][sample.vectors.front().id].get<std::string>(),
              HasSubstr("the reference cannot read it"));
  EXPECT_TRUE(drawings["of"].empty());
}

TEST(WriteReport, KeepsTheEarlierReportWhereTheNewOneFails) {
  const Folder folder("earlier");
  write_report(sample_certification(), folder.path());
  const std::string before = read_file(folder.path() / "report.json");
  Certification twice = sample_certification();
  twice.results.push_back(twice.results.front());
  EXPECT_THROW(write_report(twice, folder.path()), Error);
  EXPECT_EQ(read_file(folder.path() / "report.json"), before);
}

TEST(WriteReport, NamesTheFileThatCannotBeWrittenAndLeavesNoUnfinishedOne) {
  const Folder folder("unwritable");
  fs::create_directories(folder.path() / "report.json" / "in the way");
  try {
    write_report(sample_certification(), folder.path());
    FAIL() << "a folder was replaced by a file";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("report.json"));
  }
  EXPECT_THAT(folder.names(), testing::ElementsAre("report.json"));
}

}  // namespace
}  // namespace ifcert::conformance
