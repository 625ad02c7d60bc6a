#include "conformance/certificate/certificate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "conformance/certificate/badge.hpp"
#include "conformance/results/counts.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Result result_of(const std::string& vector, Verdict verdict, Fault fault = Fault::none) {
  Result result;
  result.adapter = "engine";
  result.vector = vector;
  result.rule = vector.substr(0, vector.rfind('/'));
  result.verdict = verdict;
  result.fault = fault;
  return result;
}

VectorSummary vector_of(const std::string& id, Axis axis) {
  VectorSummary vector;
  vector.id = id;
  vector.rule = id.substr(0, id.rfind('/'));
  vector.axis = axis;
  vector.system = id.substr(0, id.find('/'));
  vector.profiles = {vector.system};
  return vector;
}

/// Two rules of ONNX, of which one holds on `computes`, and one of TensorFlow Lite, which holds.
Certification certification() {
  Certification made;
  made.version = "1.0";
  made.manifest_digest = "m";
  made.limits = {{"timeout_s", 0.5}, {"jobs", 2}};
  made.adapters.push_back({.name = "engine",
                           .runtime = "Engine",
                           .version = "1.2",
                           .language = "C++",
                           .home = "",
                           .unsupported_features = json::array()});
  made.vectors = {vector_of("onnx/if/a/one", Axis::computes), vector_of("onnx/if/b/one", Axis::computes),
                  vector_of("onnx/if/b/two", Axis::diagnoses), vector_of("tflite/if/c/one", Axis::computes)};
  made.results = {result_of("onnx/if/a/one", Verdict::pass),
                  result_of("onnx/if/b/one", Verdict::fail, Fault::wrong_value),
                  result_of("onnx/if/b/two", Verdict::lenient), result_of("tflite/if/c/one", Verdict::pass)};
  made.results[1].known = true;
  made.results[1].link = "https://example.org/1";
  return made;
}

TEST(Certificate, HasCountsLevelsAndWaivers) {
  const json made = json::parse(certificate_text(certification(), "results"));
  const json& engine = made.at("adapters").at(0);
  EXPECT_EQ(engine.at("levels").at("onnx").at("computes"), json({{"rules", 2},
                                                                 {"rules_holding", 1},
                                                                 {"missing", {"onnx/if/b"}},
                                                                 {"reached", false},
                                                                 {"vectors", 2},
                                                                 {"PASS", 1},
                                                                 {"FAIL", 1}}));
  EXPECT_EQ(engine.at("levels").at("onnx").at("diagnoses"), json({{"rules", 1},
                                                                  {"rules_holding", 0},
                                                                  {"missing", {"onnx/if/b"}},
                                                                  {"reached", false},
                                                                  {"vectors", 1},
                                                                  {"LENIENT", 1}}));
  EXPECT_EQ(engine.at("levels").at("tflite").at("computes").at("reached"), true);
  EXPECT_EQ(engine.at("rules").at("onnx/if/b").at("computes"), json({{"vectors", 1}, {"FAIL", 1}}));
  EXPECT_EQ(engine.at("waivers"),
            json::array(
                {{{"vector", "onnx/if/b/one"}, {"verdict", "FAIL (wrong-value)"}, {"link", "https://example.org/1"}}}));
}

TEST(Certificate, DependsOnEveryByteOfTheResults) {
  EXPECT_NE(certificate_text(certification(), "results"), certificate_text(certification(), "resultz"));
}

TEST(Certificate, AnyEditedByteIsFound) {
  const std::string right = certificate_text(certification(), "results");
  EXPECT_EQ(first_difference(right, right), "");
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same edits in every run
  for (int edit = 0; edit < 1000; ++edit) {
    std::string edited = right;
    char& byte = edited[random() % edited.size()];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1 + random() % 255));
    EXPECT_NE(first_difference(edited, right), "") << edited;
  }
  EXPECT_NE(first_difference(right + "\n", right), "");
  EXPECT_NE(first_difference(right.substr(1), right), "");
}

TEST(Certificate, NamesTheFirstDifference) {
  const std::string right = certificate_text(certification(), "results");
  json edited = json::parse(right);
  edited["adapters"][0]["version"] = "1.3";
  EXPECT_EQ(first_difference(edited.dump(), right),
            "/adapters/0/version: the certificate has \"1.3\"; the results have \"1.2\"");
  edited = json::parse(right);
  edited["adapters"][0]["waivers"].erase(0);
  EXPECT_THAT(first_difference(edited.dump(), right), HasSubstr("/adapters/0/waivers/0: the certificate has nothing"));
  EXPECT_EQ(first_difference(json::parse(right).dump(1), right),
            "byte 1: the certificate is not canonical JSON (RFC 8785)");
}

TEST(Badge, CountsTheRulesThatHold) {
  const Certification made = certification();
  EXPECT_THAT(badge_svg(Counted(made), "engine"), HasSubstr("<title>If · 2 of 3 rules</title>"));
}

}  // namespace
}  // namespace ifcert::conformance
