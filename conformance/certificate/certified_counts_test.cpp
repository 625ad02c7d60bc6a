#include "conformance/certificate/certified_counts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/certificate/certificate.hpp"
#include "conformance/report/difference_text.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

constexpr const char* counted_ids[] = {"onnx/if/a/one", "onnx/if/a/two", "onnx/if/a/three", "onnx/if/b/one"};

/// Four vectors that compute: three of the rule a, one of b.
std::vector<VectorSummary> counted_vectors() {
  std::vector<VectorSummary> made;
  for (const std::string id : counted_ids) {
    VectorSummary& vector = made.emplace_back();
    vector.id = id;
    vector.rule = id.substr(0, id.rfind('/'));
    vector.system = "onnx";
    vector.profiles = {"onnx"};
  }
  return made;
}

Suite counted_manifest() {
  Suite suite;
  for (const VectorSummary& summary : counted_vectors()) {
    suite.indices.emplace(summary.id, suite.vectors.size());
    suite.vectors.push_back({.summary = summary});
  }
  return suite;
}

Result counted_result(const std::string& vector, Verdict verdict) {
  Result result;
  result.adapter = "engine";
  result.vector = vector;
  result.rule = vector.substr(0, vector.rfind('/'));
  result.verdict = verdict;
  if (verdict == Verdict::fail) result.fault = Fault::wrong_value;
  return result;
}

/// These verdicts of the rule a, and a pass of b. What fails is on the adapter's list if `listed`.
Certification counted_run(const std::vector<Verdict>& verdicts, bool listed = true) {
  Certification made;
  made.manifest_digest = "m";
  made.adapters.emplace_back().name = "engine";
  made.adapters.front().version = "1";
  made.vectors = counted_vectors();
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    made.results.push_back(counted_result(counted_ids[i], verdicts[i]));
    made.results.back().known = listed && is_listable(verdicts[i]);
  }
  made.results.push_back(counted_result(counted_ids[3], Verdict::pass));
  return made;
}

CertifiedCounts as_certificate(const Certification& certification) {
  return counts_in_certificate(certificate_text(certification, "results"), counted_manifest());
}

CertifiedCounts as_results(const Certification& certification) {
  return counts_in_results(certification, counted_manifest());
}

/// The change of the rule a, or nothing.
std::string change_of_counts(const CertifiedCounts& before, const CertifiedCounts& after) {
  const auto found = difference(before, after).adapters.at(0);
  EXPECT_EQ(found.same + found.differences.size(), 2U);
  return found.differences.empty() ? "" : to_string(found.differences.front().change);
}

/// The same, with a certificate before and results after, which is how a CI job compares.
std::string counted_change(const std::vector<Verdict>& before, const std::vector<Verdict>& after, bool listed = true) {
  return change_of_counts(as_certificate(counted_run(before, listed)), as_results(counted_run(after)));
}

TEST(CertifiedCounts, AreTheSameInACertificateAndInItsResults) {
  using enum Verdict;
  const Certification made = counted_run({pass, fail, lenient});
  const auto found = difference(as_certificate(made), as_results(made));
  EXPECT_TRUE(found.by_rule);
  EXPECT_TRUE(found.same_vectors);
  EXPECT_EQ(found.adapters.at(0).same, 2U);
  EXPECT_TRUE(found.adapters.at(0).differences.empty());
}

TEST(CertifiedCounts, ShowWhatBrokeAndWhatWasMended) {
  using enum Verdict;
  EXPECT_EQ(counted_change({pass, pass, pass}, {pass, fail, pass}), "broke");
  EXPECT_EQ(counted_change({pass, pass, pass}, {pass, crash, pass}), "broke");
  EXPECT_EQ(counted_change({pass, pass, pass}, {pass, unsupported, pass}), "broke");
  EXPECT_EQ(counted_change({lenient, pass, pass}, {fail, pass, pass}), "broke");
  EXPECT_EQ(counted_change({pass, fail, pass}, {pass, pass, pass}), "fixed");
  EXPECT_EQ(counted_change({unsupported, pass, pass}, {pass, pass, pass}), "fixed");
  EXPECT_EQ(counted_change({fail, pass, pass}, {lenient, pass, pass}), "fixed");
  EXPECT_EQ(counted_change({fail, pass, pass}, {crash, pass, pass}), "changed");
  EXPECT_EQ(counted_change({pass, pass, pass}, {lenient, pass, pass}), "changed");
  EXPECT_EQ(counted_change({pass, pass, pass}, {Verdict::adapter, pass, pass}), "unknown");
  EXPECT_EQ(counted_change({pass, pass}, {pass, pass, pass}), "unknown") << "a rule with another number of vectors";
}

TEST(CertifiedCounts, ShowFailuresThatChangedPlacesWhereTheCertificateNamesThemAll) {
  using enum Verdict;
  EXPECT_EQ(counted_change({fail, pass, pass}, {pass, fail, pass}), "broke");
  EXPECT_EQ(counted_change({fail, pass, pass}, {pass, fail, pass}, false), "") << "the certificate names no failure";
}

TEST(CertifiedCounts, ShowARefusalThatBecameAWrongValueOrACrash) {
  using enum Verdict;
  const auto refused_before = [] {
    Certification made = counted_run({fail, pass, pass});
    made.results[0].fault = Fault::wrongly_refused;
    return as_certificate(made);
  };
  EXPECT_EQ(change_of_counts(refused_before(), as_results(counted_run({fail, pass, pass}))), "broke");
  EXPECT_EQ(change_of_counts(refused_before(), as_results(counted_run({crash, pass, pass}))), "broke");
  EXPECT_EQ(change_of_counts(refused_before(), refused_before()), "");
}

TEST(CertifiedCounts, NameTheVectorsThatPassAgain) {
  using enum Verdict;
  const auto found =
      difference(as_certificate(counted_run({fail, pass, pass})), as_results(counted_run({pass, pass, pass})));
  EXPECT_EQ(found.adapters.at(0).differences.at(0).reason, "no longer: one");
}

TEST(CertifiedCounts, NameTheVectorsAsFarAsTheyAreKnown) {
  using enum Verdict;
  const auto known =
      difference(as_certificate(counted_run({fail, pass, pass})), as_results(counted_run({fail, fail, pass})));
  const VectorChange& broke = known.adapters.at(0).differences.at(0);
  EXPECT_EQ(broke.rule, "onnx/if/a");
  EXPECT_EQ(broke.axis, "computes");
  EXPECT_EQ(broke.before, "2 PASS, 1 FAIL");
  EXPECT_EQ(broke.after, "1 PASS, 2 FAIL");
  EXPECT_EQ(broke.reason, "now: two FAIL (wrong-value)");
  const auto unnamed =
      difference(as_certificate(counted_run({fail, pass, pass}, false)), as_results(counted_run({fail, fail, pass})));
  EXPECT_EQ(unnamed.adapters.at(0).differences.at(0).reason,
            "among them now: one FAIL (wrong-value), two FAIL (wrong-value)");
  const auto certificates = difference(as_certificate(counted_run({pass, pass, pass})),
                                       as_certificate(counted_run({fail, pass, pass}, false)));
  EXPECT_EQ(certificates.adapters.at(0).differences.at(0).reason, "");
}

TEST(CertifiedCounts, SayWhatTheyCannotShow) {
  using enum Verdict;
  Certification other = counted_run({pass, pass, fail});
  other.manifest_digest = "n";
  const auto found = difference(as_certificate(counted_run({pass, pass, pass})), as_results(other));
  EXPECT_FALSE(found.same_vectors);
  for (const std::string& text : {difference_text(found), difference_markdown(found)}) {
    EXPECT_THAT(text, HasSubstr("Compared rule by rule: a certificate has the number of each verdict"));
    EXPECT_THAT(text, HasSubstr("where a rule's number of vectors differs, the change is unknown"));
    EXPECT_THAT(text, Not(HasSubstr("compared by their counted_ids")));
  }
}

TEST(CertifiedCounts, AreReadFromCertificatesOfEveryFormat) {
  const std::string text = certificate_text(counted_run({Verdict::pass}), "results");
  const std::string today = fmt::format("\"certificate\":{}", certificate_format);
  ASSERT_NE(text.find(today), std::string::npos);
  for (int format = 1; format <= certificate_format; ++format) {
    std::string older = text;
    older.replace(older.find(today), today.size(), fmt::format("\"certificate\":{}", format));
    EXPECT_EQ(counts_in_certificate(older, counted_manifest()).adapters.size(), 1U) << format;
  }
}

TEST(CertifiedCounts, AreReadFromCertificatesAlone) {
  using enum Verdict;
  EXPECT_TRUE(is_certificate(certificate_text(counted_run({pass}), "results")));
  EXPECT_FALSE(is_certificate("{\"ifcert\":3}\n{\"footer\":true}\n"));
  EXPECT_FALSE(is_certificate("{}"));
  for (const char* wrong : {"{\"certificate\":2}", "{\"certificate\":1}", R"({"certificate":1,"adapters":3})",
                            R"({"certificate":1,"manifest":"m","adapters":[{"name":"a","version":"1","waivers":[],)"
                            R"("rules":{"r":{"computes":{"vectors":2,"PASS":1}}}}]})"})
    EXPECT_THAT([&] { counts_in_certificate(wrong, counted_manifest()); },
                ThrowsMessage<Error>(HasSubstr("not a certificate")))
        << wrong;
  Certification unknown = counted_run({pass});
  unknown.results.front().vector = "onnx/if/gone/one";
  EXPECT_THAT([&] { as_results(unknown); }, ThrowsMessage<Error>(HasSubstr("has no vector onnx/if/gone/one")));
}

TEST(CertifiedCounts, NeedAnAdapterThatBothHave) {
  using enum Verdict;
  Certification two = counted_run({pass}), other = counted_run({pass});
  two.adapters.emplace_back().name = "second";
  other.adapters.front().name = "third";
  other.adapters.emplace_back().name = "fourth";
  EXPECT_THAT([&] { difference(as_results(two), as_results(other)); },
              ThrowsMessage<Error>(HasSubstr("no adapter in common")));
  const auto found = difference(as_results(two), as_results(counted_run({pass})));
  EXPECT_EQ(found.only_before, std::vector<std::string>{"second"});
}

}  // namespace
}  // namespace ifcert::conformance
