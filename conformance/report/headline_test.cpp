#include "conformance/report/headline.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A runtime with one rule in each group.
class Headlines : public testing::Test {
 protected:
  Headlines() {
    certification_.rules = {{"onnx/if/own", "", "", RuleGroup::operation},
                            {"onnx/if/met", "", "", RuleGroup::around},
                            {"onnx/model/whole", "", "", RuleGroup::file}};
    certification_.adapters.emplace_back().name = "runtime";
  }

  /// The result of a new vector of the rule.
  Result& add(const char* rule, Verdict verdict, Fault fault = Fault::none) {
    VectorSummary& vector = certification_.vectors.emplace_back();
    vector.id = std::to_string(certification_.vectors.size());
    vector.rule = rule;
    Result& result = certification_.results.emplace_back();
    result.adapter = "runtime";
    result.vector = vector.id;
    result.rule = rule;
    result.verdict = verdict;
    result.fault = fault;
    return result;
  }

  std::string text() const { return headline_text(headline_of(Counted(certification_), "runtime")); }

  Certification certification_{};
};

TEST_F(Headlines, CountRulesNotVectors) {
  for (int i = 0; i < 9; ++i) add("onnx/if/own", Verdict::pass);
  add("onnx/if/met", Verdict::pass);
  add("onnx/model/whole", Verdict::pass);
  EXPECT_EQ(text(), "2 of 2 rules of If hold; files: 1 of 1 rules hold");
}

TEST_F(Headlines, CountADistinctCauseOnceByItsWorstFailure) {
  add("onnx/if/own", Verdict::fail, Fault::wrongly_refused).reason = "because of A";
  add("onnx/if/own", Verdict::fail, Fault::wrongly_refused).reason = "because of A";
  for (const Fault fault : {Fault::wrongly_refused, Fault::wrong_value}) {
    Result& listed = add("onnx/if/met", Verdict::fail, fault);
    listed.known = true;
    listed.link = "docs/deviations.md#one";
  }
  EXPECT_EQ(text(), "0 of 2 rules of If hold; 2 have a deviation; causes: 1 silent wrong value, 1 wrongly refused");
}

TEST_F(Headlines, ShowWhatIsUnsupportedApart) {
  add("onnx/if/own", Verdict::pass);
  add("onnx/if/own", Verdict::unsupported);
  add("onnx/if/met", Verdict::unsupported);
  EXPECT_EQ(text(), "1 of 1 rules of If hold; 2 of 3 ideas unsupported") << "the rule around If is not run";
}

TEST_F(Headlines, CountNoFailureThatIsNotTheIf) {
  add("onnx/if/own", Verdict::pass);
  add("onnx/if/own", Verdict::not_if, Fault::wrong_value).failed_as = Verdict::fail;
  add("onnx/if/met", Verdict::not_if, Fault::wrong_value).failed_as = Verdict::fail;
  EXPECT_EQ(text(), "1 of 1 rules of If hold; 2 fail without the If too");
}

TEST(Idea, IsTheSameInAllVersionsAndForControls) {
  EXPECT_EQ(idea_of("onnx/if/types-of-opset/tensor-of-bool-in-opset-13"), "onnx/if/types-of-opset/tensor-of-bool");
  EXPECT_EQ(idea_of("onnx/if/no-state-between-runs/grows-cold-12"), "onnx/if/no-state-between-runs/grows");
  EXPECT_EQ(idea_of("onnx/if/types/tensor-in-opset-9-cold-2"), "onnx/if/types/tensor");
  for (const char* other : {"onnx/if/same-shape-in-opset-1/scalar", "onnx/if/a/cold-start", "onnx/if/a/in-opset-", ""})
    EXPECT_EQ(idea_of(other), other);
}

TEST_F(Headlines, CountAnIdeaAsUnsupportedWhereNoneOfItsVectorsIsSupported) {
  const auto add_named = [this](const char* id, Verdict verdict) {
    Result& result = add("onnx/if/own", verdict);
    result.vector = certification_.vectors.back().id = id;
  };
  add_named("bool-in-opset-13", Verdict::pass);
  add_named("bool-in-opset-16", Verdict::unsupported);
  add_named("grows", Verdict::pass);
  add_named("grows-cold-2", Verdict::pass);
  add_named("int4", Verdict::unsupported);
  add_named("int4-in-opset-25", Verdict::unsupported);
  EXPECT_EQ(text(), "1 of 1 rules of If hold; 1 of 3 ideas unsupported");
}

TEST_F(Headlines, ShowTheRulesOfFilesWithoutCountingThemForIf) {
  add("onnx/if/own", Verdict::pass);
  add("onnx/model/whole", Verdict::fail, Fault::wrong_value);
  EXPECT_EQ(text(), "1 of 1 rules of If hold; files: 0 of 1 rules hold");
}

TEST_F(Headlines, BlameNoRuntimeForItsAdapter) {
  add("onnx/if/own", Verdict::adapter);
  add("onnx/if/met", Verdict::pass);
  EXPECT_THAT(text(), HasSubstr("1 of 1 rules of If hold"));
  EXPECT_THAT(text(), Not(HasSubstr("deviation")));
}

TEST_F(Headlines, TakeLeniencyForNoFailure) {
  add("onnx/if/own", Verdict::pass);
  add("onnx/if/own", Verdict::lenient);
  EXPECT_EQ(text(), "1 of 1 rules of If hold");
}

}  // namespace
}  // namespace ifcert::conformance
