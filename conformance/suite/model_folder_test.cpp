#include "conformance/suite/model_folder.hpp"

#include <gmock/gmock.h>
#include <sys/mount.h>

#include <fstream>

#include "conformance/suite/suite.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/project.hpp"
#include "conformance/system/remove_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

ModelFiles files_of(const std::string& word) {
  ModelFiles files{"model.onnx", {{"model.onnx", word}, {"more/weights.bin", "1234"}}, "/vectors/if/refused"};
  files.folder = opaque_name(files);
  return files;
}

TEST(ModelFolder, HoldsOneModelWithItsData) {
  ModelFolder folder;
  const fs::path first = folder.put(files_of("one"));
  EXPECT_EQ(read_file(first), "one");
  EXPECT_EQ(read_file(first.parent_path() / "more" / "weights.bin"), "1234");
  const fs::path second = folder.put(files_of("two"));
  EXPECT_EQ(read_file(second), "two");
  EXPECT_FALSE(fs::exists(first.parent_path())) << "another vector's model";
}

TEST(ModelFolder, IsCleanAlthoughSomethingWasWrittenThere) {
  ModelFolder folder;
  const fs::path first = folder.put(files_of("one"));
  fs::create_directories(first.parent_path() / "cache");
  std::ofstream(first.parent_path() / "cache" / "plan") << "x";
  folder.put(files_of("two"));
  EXPECT_FALSE(fs::exists(first.parent_path()));
}

TEST(ModelFolder, IsNamedAfterTheBytesAlone) {
  ModelFiles elsewhere = files_of("one");
  elsewhere.origin = "/vectors/if/accepted";
  EXPECT_EQ(opaque_name(elsewhere), files_of("one").folder);
  EXPECT_NE(files_of("two").folder, files_of("one").folder);
}

TEST(ModelFolder, HasItsOriginalPathInMessages) {
  ModelFolder folder;
  const fs::path model = folder.put(files_of("one"));
  EXPECT_EQ(folder.with_original_paths("cannot open " + model.string() + ": no; " + model.string()),
            "cannot open /vectors/if/refused/model.onnx: no; /vectors/if/refused/model.onnx");
}

TEST(ModelFolder, HasTheNameOfTheCaseInMessagesWhereTheModelIsBesideOthers) {
  ModelFiles files = files_of("one");
  files.name = "deep";
  EXPECT_EQ(original_path(files), "/vectors/if/refused/deep.onnx");
  ModelFolder folder;
  const fs::path model = folder.put(files);
  EXPECT_EQ(folder.with_original_paths("cannot open " + model.string() + " in " + model.parent_path().string()),
            "cannot open /vectors/if/refused/deep.onnx in /vectors/if/refused");
}

const Suite& vectors() {
  static const Suite suite = read_suite(find_project());
  return suite;
}

/// The vector's fault is that the file is outside of the folder, not that it is missing.
TEST(ModelFolder, HasTheFileOfANeighbourThatAModelRefersTo) {
  const Vector* vector = vectors().find("onnx/model/external-data-in-folder/up-and-into-another-folder");
  ASSERT_NE(vector, nullptr);
  ModelFolder folder;
  const fs::path model = folder.put(vector->files);
  EXPECT_TRUE(fs::exists(model.parent_path() / "../beside-the-model/weights.bin"));
  EXPECT_FALSE(fs::exists(model.parent_path() / "../beside-the-model/beside-the-model.onnx"));
  folder.put(files_of("two"));
  EXPECT_FALSE(fs::exists(folder.path() / "beside-the-model"));
}

TEST(ModelFolder, HasTheModelsFilesOfEveryVectorButNoAnswer) {
  for (const Vector& vector : vectors().vectors) {
    EXPECT_TRUE(vector.files.bytes.contains(vector.files.model)) << vector.summary.id;
    EXPECT_EQ(fs::path(vector.files.model).stem(), "model") << vector.summary.id;
    EXPECT_FALSE(vector.files.bytes.contains("vectors.jsonl")) << vector.summary.id;
  }
}

TEST(Removal, StopsAtMountPoints) {
  const TemporaryFolder victim;
  std::ofstream(victim.path() / "kept") << "x";
  TemporaryFolder folder;
  const fs::path point = folder.path() / "with space";
  fs::create_directory(point);
  if (::mount(victim.path().c_str(), point.c_str(), nullptr, MS_BIND, nullptr) != 0)
    GTEST_SKIP() << "not permitted to mount";
  EXPECT_TRUE(remove_tree(folder.path()));
  EXPECT_FALSE(fs::exists(folder.path()));
  EXPECT_TRUE(fs::exists(victim.path() / "kept"));
}

}  // namespace
}  // namespace ifcert::conformance
