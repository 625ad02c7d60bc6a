#include "conformance/report/certification_table.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two rules; the runtime passes one vector, fails one, does not support one, and one was not run; it is lenient with
/// an illegal model, and for another it also refuses the twin.
Certification sample_table() {
  Certification certification;
  certification.rules = {{"onnx/if/first", "", ""}, {"onnx/if/second", "", ""}};
  AdapterIdentity adapter;
  adapter.name = "runtime";
  adapter.version = "1.2";
  certification.adapters = {adapter};
  const auto add = [&certification](const char* id, const char* rule, Verdict verdict, Axis axis = Axis::computes) {
    VectorSummary vector;
    vector.id = id;
    vector.rule = rule;
    vector.axis = axis;
    certification.vectors.push_back(vector);
    if (verdict == Verdict::not_run) return;
    Result result;
    result.adapter = "runtime";
    result.vector = id;
    result.rule = rule;
    result.verdict = verdict;
    certification.results.push_back(result);
  };
  add("a", "onnx/if/first", Verdict::pass);
  add("b", "onnx/if/second", Verdict::fail);
  add("c", "onnx/if/second", Verdict::unsupported);
  add("d", "onnx/if/second", Verdict::not_run);
  add("e", "onnx/if/second", Verdict::lenient, Axis::diagnoses);
  add("f", "onnx/if/second", Verdict::not_shown, Axis::diagnoses);
  return certification;
}

TEST(Table, CountsPassesAmongAllVectors) {
  const std::string text = table_text(sample_table(), 160, false);
  EXPECT_THAT(text, HasSubstr("onnx/if/first       1 of  1\n"));
  EXPECT_THAT(text, HasSubstr("onnx/if/second      0 of  3 ✗1 –1 ?1\n"));
  EXPECT_THAT(text, HasSubstr("rules that hold     1 of  2\n"));
  EXPECT_THAT(text, HasSubstr("vectors that pass   1 of  4 ✗1 –1 ?1\n"));
  EXPECT_THAT(text, HasSubstr("onnx/if/second      0 of  2 ~1 ∅1\n")) << "a separate part";
  EXPECT_THAT(text,
              HasSubstr("\nruntime: 1 of 2 rules of If hold; 1 has a deviation; causes: 1 silent wrong value; 1 of 5 "
                        "ideas unsupported\n"));
}

TEST(Table, LeavesWhatIsNotTheIfOutOfTheCount) {
  Certification certification = sample_table();
  certification.results.at(1).verdict = Verdict::not_if;
  certification.results.at(1).failed_as = Verdict::fail;
  EXPECT_THAT(table_text(certification, 160, false), HasSubstr("onnx/if/second      0 of  2 –1 ≠1 ?1\n"));
}

TEST(Table, NumbersTheAdaptersWhereTheirNamesDoNotFit) {
  EXPECT_THAT(table_text(sample_table(), 160, false), Not(HasSubstr("[1]")));
  EXPECT_THAT(table_text(sample_table(), 30, false), HasSubstr("[1] runtime 1.2\n"));
}

TEST(Table, EndsWithTheCostOfEachAdapter) {
  Certification certification = sample_table();
  certification.results.at(0).milliseconds = 1500;
  EXPECT_THAT(table_text(certification, 160, false), testing::EndsWith("\nruntime: 5 vectors in 1.5 s\n"));
}

TEST(Table, IsPlainWithoutColours) {
  EXPECT_THAT(table_text(sample_table(), 160, false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(table_text(sample_table(), 160, true), HasSubstr("\x1b[31m"));
}

TEST(Table, GivesLeniencyAColourOfItsOwn) {
  EXPECT_THAT(table_text(sample_table(), 160, true), HasSubstr("\x1b[35m 0 of  2 ~1 ∅1"));
}

TEST(Breaches, AreListedOneByOne) {
  Certification certification = sample_table();
  EXPECT_THAT(breaches_text(certification), HasSubstr("All results match the known-failure lists"));
  certification.limits = {{"strict", true}};
  EXPECT_THAT(breaches_text(certification), HasSubstr("compared with no known-failure list"));
  certification.breaches = {{ListBreach::Kind::unlisted_fails, "runtime", "b", "FAIL (wrong-value), not listed"}};
  EXPECT_THAT(breaches_text(certification), HasSubstr("runtime\n  b: FAIL (wrong-value), not listed\n"));
}

}  // namespace
}  // namespace ifcert::conformance
