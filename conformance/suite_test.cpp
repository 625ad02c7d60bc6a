#include "conformance/suite.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "conformance/digest.hpp"
#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

class SuiteFiles : public testing::Test {
 protected:
  std::filesystem::path manifest_file() const { return project.project().vectors() / "manifest.json"; }
  std::filesystem::path trap_file(const char* name) const {
    return project.project().vectors() / "onnx/generated/test/negate/b-trap" / name;
  }

  /// Writes another vector.json for the trap, and its digest into the manifest.
  void describe_trap(const json& description) const {
    replace_file(trap_file("vector.json"), description.dump());
    json manifest = read_json(manifest_file());
    manifest["vectors"][1]["files"]["vector.json"] = sha256(description.dump());
    replace_file(manifest_file(), manifest.dump());
  }

  std::string unusable_trap() const { return read_suite(project.project()).vectors.at(1).unusable; }

  TestProject project;
};

TEST_F(SuiteFiles, AreReadInTheManifestsOrder) {
  const Suite suite = read_suite(project.project());
  ASSERT_EQ(suite.vectors.size(), 5U);
  EXPECT_EQ(suite.vectors[0].summary.id, "onnx/test/negate/a-before");
  EXPECT_EQ(suite.vectors[0].summary.source, "vectors/onnx/choice/test.py");
  EXPECT_EQ(suite.vectors[0].summary.model_text, "a model that says negate\n");
  EXPECT_EQ(suite.vectors[0].summary.model_path, "vectors/onnx/generated/test/negate/a-before/model.onnx");
  EXPECT_EQ(suite.vectors[3].summary.twin, "onnx/test/refuse/sound");
  EXPECT_EQ(suite.digest, sha256(read_file(manifest_file())));
  for (const Vector& vector : suite.vectors) EXPECT_EQ(vector.unusable, "");
}

TEST_F(SuiteFiles, ShowTheModelItselfWhereItHasNoOtherText) {
  json manifest = read_json(manifest_file());
  manifest["vectors"][1]["files"].erase("model.txt");
  std::ofstream(trap_file("model.onnx"), std::ios::app) << "\xff";
  manifest["vectors"][1]["files"]["model.onnx"] = sha256(read_file(trap_file("model.onnx")));
  replace_file(manifest_file(), manifest.dump());
  EXPECT_EQ(unusable_trap(), "");
  EXPECT_EQ(read_suite(project.project()).vectors.at(1).summary.model_text, "negate, and here is the trap\uFFFD");
}

TEST_F(SuiteFiles, AreNotReadWhereTheManifestIsEnough) {
  const Suite suite = read_suite(project.project());
  std::filesystem::remove_all(project.project().vectors() / "onnx");
  const Suite listed = read_manifest(project.project());
  EXPECT_EQ(listed.digest, suite.digest);
  ASSERT_EQ(listed.vectors.size(), suite.vectors.size());
  for (std::size_t i = 0; i < suite.vectors.size(); ++i) {
    EXPECT_EQ(listed.vectors[i].summary.id, suite.vectors[i].summary.id);
    EXPECT_EQ(listed.vectors[i].summary.rule, suite.vectors[i].summary.rule);
  }
}

TEST_F(SuiteFiles, AreReadOnlyWhereTheyAreWantedOrTheTwinOfOne) {
  const Suite whole = read_suite(project.project());
  const std::string refused = whole.vectors[3].summary.id;
  const Suite suite =
      read_suite(project.project(), [&refused](const VectorSummary& vector) { return vector.id == refused; });
  ASSERT_EQ(suite.vectors.size(), whole.vectors.size());
  for (std::size_t i = 0; i < suite.vectors.size(); ++i) {
    const VectorSummary& vector = suite.vectors[i].summary;
    const bool read = vector.id == refused || vector.id == "onnx/test/refuse/sound";
    EXPECT_EQ(vector.title, read ? whole.vectors[i].summary.title : "") << vector.id;
    EXPECT_EQ(vector.rule, whole.vectors[i].summary.rule);
    EXPECT_EQ(suite.find(vector.id), &suite.vectors[i]);
  }
}

TEST_F(SuiteFiles, AreSpoiltByAnyChange) {
  std::ofstream(trap_file("model.txt"), std::ios::app) << " ";
  EXPECT_THAT(unusable_trap(), HasSubstr("model.txt has the digest"));
}

TEST_F(SuiteFiles, AreSpoiltWhenOneIsMissing) {
  std::filesystem::remove(trap_file("model.onnx"));
  EXPECT_THAT(unusable_trap(), HasSubstr("model.onnx: No such file"));
}

TEST_F(SuiteFiles, AreSpoiltByADescriptionOutsideItsSchema) {
  json description = read_json(trap_file("vector.json"));
  description["surprise"] = 1;
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("schema"));
}

TEST_F(SuiteFiles, AreSpoiltByADescriptionOfAnotherVector) {
  json description = read_json(trap_file("vector.json"));
  description["id"] = "onnx/test/negate/other";
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("the manifest has"));
}

TEST_F(SuiteFiles, AreSpoiltByAnExpectedValueThatContradictsItself) {
  json description = read_json(trap_file("vector.json"));
  description["steps"][1]["run"]["expect"]["outputs"][0]["value"]["shape"] = {7};
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("4 bytes of int32 for the shape [7]"));
}

TEST_F(SuiteFiles, AreSpoiltByAStepThatNeedsMoreThanTheVectorDeclares) {
  json description = read_json(trap_file("vector.json"));
  description["steps"][1]["run"]["hold"] = true;
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("step 1 needs 'hold'"));
  description = read_json(trap_file("vector.json"));
  const json run = description["steps"][1]["run"];
  description["steps"][1] = {{"concurrent", {{"runs", {run, run}}}}};
  description["steps"][1]["concurrent"]["runs"][0].erase("hold");
  description["steps"][1]["concurrent"]["runs"][1].erase("hold");
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("step 1 needs 'threads'"));
}

TEST_F(SuiteFiles, AreSpoiltByARereadOfOutputsThatAreNotHeld) {
  json description = read_json(trap_file("vector.json"));
  description["needs"].push_back("hold");
  const json run = description["steps"][1];
  const json expect = run["run"]["expect"];
  description["steps"].push_back({{"reread", {{"step", 1}, {"expect", expect}}}});
  describe_trap(description);
  EXPECT_THAT(unusable_trap(),
              HasSubstr("step 2 reads step 1 again, which is not an earlier run that holds its outputs"));
  description["steps"][1]["run"]["hold"] = true;
  description["steps"][2]["reread"]["expect"]["outputs"][0]["value"]["data"] = "AAAAAA==";
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("expects something other than step 1"));
  description["steps"][2]["reread"]["step"] = 7;
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("not an earlier run"));
}

TEST_F(SuiteFiles, AreSpoiltByAMissingTwin) {
  json description = read_json(trap_file("vector.json"));
  description["twin"] = "onnx/test/negate/gone";
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("its twin onnx/test/negate/gone is not in the manifest"));
}

TEST_F(SuiteFiles, MayNotBeListedTwice) {
  json manifest = read_json(manifest_file());
  manifest["vectors"].push_back(manifest["vectors"][0]);
  replace_file(manifest_file(), manifest.dump());
  EXPECT_THAT([this] { read_suite(project.project()); }, ThrowsMessage<Error>(HasSubstr("twice")));
}

TEST_F(SuiteFiles, MayNotBeNone) {
  replace_file(manifest_file(), R"({"format":1,"vectors":[]})");
  EXPECT_THROW(read_suite(project.project()), Error);
}

}  // namespace
}  // namespace ifcert::conformance
