#include "conformance/suite/suite.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

class SuiteFiles : public testing::Test {
 protected:
  std::filesystem::path folder() const { return project.project().vectors() / "onnx/generated/test/negate"; }
  std::filesystem::path lines() const { return folder() / "vectors.jsonl"; }
  std::filesystem::path trap_model() const { return folder() / "b-trap.onnx"; }

  /// The lines of the file, each parsed.
  std::vector<json> described() const {
    std::vector<json> all;
    std::ifstream file(lines());
    for (std::string line; std::getline(file, line);) all.push_back(json::parse(line));
    return all;
  }

  /// Writes these texts as the lines of the file, and its digest into the manifest.
  void write(const std::vector<std::string>& texts) const {
    std::string all;
    for (const std::string& text : texts) all += text + "\n";
    replace_file(lines(), all);
    project.write_manifest();
  }

  /// Writes another line for the trap.
  void describe_trap(const json& description) const {
    std::vector<std::string> texts;
    for (const json& line : described()) texts.push_back(line.dump());
    texts.at(1) = description.dump();
    write(texts);
  }

  json trap_line() const { return described().at(1); }

  void expect_refusal(const std::string& part) const {
    EXPECT_THAT([this] { read_manifest(project.project()); }, ThrowsMessage<Error>(HasSubstr(part)));
    EXPECT_THAT([this] { read_suite(project.project()); }, ThrowsMessage<Error>(HasSubstr(part)));
  }

  std::string unusable_trap() const { return read_suite(project.project()).vectors.at(1).unusable; }

  TestProject project;
};

TEST_F(SuiteFiles, AreReadInTheOrderOfTheirIds) {
  const Suite suite = read_suite(project.project());
  ASSERT_EQ(suite.vectors.size(), 5U);
  EXPECT_EQ(suite.vectors[0].summary.id, "onnx/test/negate/a-before");
  EXPECT_EQ(suite.vectors[0].summary.source, "vectors/onnx/choice/test.py");
  EXPECT_EQ(suite.vectors[0].summary.model_path, "vectors/onnx/generated/test/negate/a-before.onnx");
  EXPECT_EQ(suite.vectors[3].summary.twin, "onnx/test/refuse/sound");
  EXPECT_EQ(suite.digest, sha256(read_file(project.project().vectors() / "manifest.json")));
  for (const Vector& vector : suite.vectors) EXPECT_EQ(vector.unusable, "");
}

TEST_F(SuiteFiles, ArePassedUnderANameThatSaysNothing) {
  const ModelFiles files = read_suite(project.project()).vectors.at(1).files;
  EXPECT_EQ(files.model, "model.onnx");
  EXPECT_THAT(files.bytes, testing::ElementsAre(testing::Key("model.onnx")));
  EXPECT_EQ(original_path(files), trap_model());
}

TEST_F(SuiteFiles, HaveAFolderWhereTheModelNamesOthers) {
  json line = trap_line();
  replace_file(folder() / "large" / "b-trap.onnx", "negate");
  replace_file(folder() / "large" / "another.onnx", "negate");
  replace_file(folder() / "large" / "more" / "weights.bin", "1234");
  line["model"] = "large/b-trap.onnx";
  line["files"] = {{"large/b-trap.onnx", sha256("negate")}, {"large/more/weights.bin", sha256("1234")}};
  describe_trap(line);
  EXPECT_EQ(unusable_trap(), "");
  const ModelFiles files = read_suite(project.project()).vectors.at(1).files;
  EXPECT_THAT(files.bytes,
              testing::ElementsAre(testing::Pair("model.onnx", "negate"), testing::Pair("more/weights.bin", "1234")));
  EXPECT_EQ(original_path(files), folder() / "large" / "b-trap.onnx");
}

TEST_F(SuiteFiles, HaveADigestOfTheirLineAndOfWhatTheModelReadsInOtherFolders) {
  const auto digests = [this] {
    const Suite suite = read_suite(project.project());
    return std::pair(suite.vectors.at(0).digest, suite.vectors.at(1).digest);
  };
  describe_trap(trap_line());  // all lines as dump() writes them
  const auto [before, of_trap] = digests();
  EXPECT_EQ(of_trap, sha256(trap_line().dump()));
  json line = trap_line();
  line["title"] = "another";
  replace_file(folder() / "trap" / "b-trap.onnx", "negate ../before/weights.bin");
  replace_file(folder() / "before" / "weights.bin", "1234");
  line["model"] = "trap/b-trap.onnx";
  line["files"] = {{"trap/b-trap.onnx", sha256("negate ../before/weights.bin")}};
  describe_trap(line);
  const auto [same, of_another_trap] = digests();
  EXPECT_EQ(same, before);
  EXPECT_NE(of_another_trap, of_trap);
  replace_file(folder() / "before" / "weights.bin", "5678");
  EXPECT_NE(digests().second, of_another_trap);
}

TEST_F(SuiteFiles, MayShareAModel) {
  json line = trap_line();
  line["model"] = "a-before.onnx";
  line["files"] = {{"a-before.onnx", sha256(read_file(folder() / "a-before.onnx"))}};
  describe_trap(line);
  EXPECT_EQ(unusable_trap(), "");
  EXPECT_EQ(read_suite(project.project()).vectors.at(1).summary.model, folder() / "a-before.onnx");
}

TEST_F(SuiteFiles, AreNotReadWhereTheLinesAreEnough) {
  const Suite suite = read_suite(project.project());
  std::filesystem::remove(trap_model());
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

TEST_F(SuiteFiles, AreSpoiltByAnyChangeOfAModel) {
  std::ofstream(trap_model(), std::ios::app) << " ";
  EXPECT_THAT(unusable_trap(), HasSubstr("b-trap.onnx has the digest"));
}

TEST_F(SuiteFiles, AreSpoiltWhenOneIsMissing) {
  std::filesystem::remove(trap_model());
  EXPECT_THAT(unusable_trap(), HasSubstr("b-trap.onnx: No such file"));
}

TEST_F(SuiteFiles, AreSpoiltByAModelThatIsNotAmongThem) {
  json line = trap_line();
  line["model"] = "a-before.onnx";
  describe_trap(line);
  EXPECT_THAT(unusable_trap(), HasSubstr("its files do not include its model a-before.onnx"));
}

TEST_F(SuiteFiles, AreSpoiltByAPathThatLeavesTheFolder) {
  for (const char* path : {"../refuse/sound.onnx", "/etc/hostname", "b-trap/../../x.bin", "b-trap/"}) {
    json line = trap_line();
    line["files"][path] = std::string(64, '0');
    describe_trap(line);
    EXPECT_THAT(unusable_trap(), HasSubstr("is not the path of a file in the folder of the rule")) << path;
  }
}

TEST_F(SuiteFiles, AreSpoiltByADescriptionOutsideItsSchema) {
  json description = trap_line();
  description["surprise"] = 1;
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("schema"));
}

TEST_F(SuiteFiles, AreRefusedWithALineOfAnotherRule) {
  json line = trap_line();
  line["id"] = "onnx/test/refuse/other";
  describe_trap(line);
  expect_refusal(
      "vectors.jsonl:2 is onnx/test/refuse/other of onnx/test/negate; expected a vector of onnx/test/negate");
}

TEST_F(SuiteFiles, AreRefusedWithLinesThatAreNotThoseOfTheManifest) {
  std::ofstream(lines(), std::ios::app) << " ";
  expect_refusal("negate/vectors.jsonl has the digest");
}

TEST_F(SuiteFiles, AreRefusedWithALineThatNamesNoVector) {
  const std::string good = trap_line().dump();
  write({good, good.substr(0, good.size() / 2)});
  expect_refusal("vectors.jsonl:2 is not JSON");
  write({"[]"});
  expect_refusal("vectors.jsonl:1 is not an object");
  write({"{}"});
  expect_refusal("vectors.jsonl:1 does not match its schema");
  write({good, ""});
  expect_refusal("vectors.jsonl:2 is not JSON");
  write({R"({"id":"a","id":"b"})"});
  expect_refusal("vectors.jsonl:1 repeats the key 'id'");
  write({std::string(100, '[') + std::string(100, ']')});
  expect_refusal("vectors.jsonl:1 nests deeper than 64 levels");
  write({R"({"why":)" + std::string(100, '[') + std::string(100, ']') + "}"});
  expect_refusal("vectors.jsonl:1 nests deeper than 64 levels");
  write({good, std::string(2'000'000, ' ')});
  expect_refusal("vectors.jsonl:2 has 2000000 bytes; expected at most 1048576");
}

TEST_F(SuiteFiles, AreSpoiltByAKeyThatALineRepeatsWithinAMember) {
  std::string line = trap_line().dump();
  line.replace(line.find(R"("inputs":)"), 0, R"("inputs":[],)");
  std::vector<json> all = described();
  write({all.at(0).dump(), line, all.at(2).dump()});
  EXPECT_THAT(unusable_trap(), HasSubstr("vectors.jsonl:2 repeats the key 'inputs' in steps[1].run"));
}

TEST_F(SuiteFiles, AreSpoiltByAnExpectedValueThatContradictsItself) {
  json description = trap_line();
  description["steps"][1]["run"]["expect"]["outputs"][0]["value"]["shape"] = {7};
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("4 bytes of int32 for the shape [7]"));
}

TEST_F(SuiteFiles, AreSpoiltByAStepThatNeedsMoreThanTheVectorDeclares) {
  json description = trap_line();
  description["steps"][1]["run"]["hold"] = true;
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("step 1 needs 'hold'"));
  description = trap_line();
  const json run = description["steps"][1]["run"];
  description["steps"][1] = {{"concurrent", {{"runs", {run, run}}}}};
  description["steps"][1]["concurrent"]["runs"][0].erase("hold");
  description["steps"][1]["concurrent"]["runs"][1].erase("hold");
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("step 1 needs 'threads'"));
}

TEST_F(SuiteFiles, AreSpoiltByARereadOfOutputsThatAreNotHeld) {
  json description = trap_line();
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
  json description = trap_line();
  description["twin"] = "onnx/test/negate/gone";
  describe_trap(description);
  EXPECT_THAT(unusable_trap(), HasSubstr("its twin onnx/test/negate/gone is not in the manifest"));
}

TEST_F(SuiteFiles, MayNotBeListedTwice) {
  const std::string line = trap_line().dump();
  write({line, line});
  expect_refusal("vectors.jsonl:2 repeats the vector onnx/test/negate/b-trap");
}

TEST_F(SuiteFiles, MayNotBeNone) {
  replace_file(project.project().vectors() / "manifest.json", R"({"format":5,"files":{}})");
  EXPECT_THROW(read_suite(project.project()), Error);
  replace_file(project.project().vectors() / "manifest.json", R"({"format":4,"vectors":[]})");
  EXPECT_THAT([this] { read_suite(project.project()); }, ThrowsMessage<Error>(HasSubstr("format")));
}

TEST_F(SuiteFiles, HaveTheirModelFoundByTheirId) {
  EXPECT_EQ(model_of_vector(project.project(), "onnx/test/negate/b-trap"), trap_model());
  EXPECT_EQ(model_of_vector(project.project(), "onnx/test/negate/gone"), std::nullopt);
  EXPECT_EQ(model_of_vector(project.project(), "onnx/gone/negate/b-trap"), std::nullopt);
  EXPECT_EQ(model_of_vector(project.project(), "b-trap"), std::nullopt);
}

}  // namespace
}  // namespace ifcert::conformance
