#include "conformance/runtimes/read_adapter.hpp"

#include <gmock/gmock.h>

#include "conformance/runtimes/environment.hpp"
#include "conformance/sandbox/bubblewrap.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class AdapterManifest : public testing::Test {
 protected:
  Adapter read(const json& manifest) const {
    replace_file(project.project().adapters() / "tool" / "adapter.json", manifest.dump());
    return read_adapter(project.project(), "tool");
  }

  static json manifest() {
    return {{"name", "tool"},
            {"systems", {"onnx"}},
            {"version", "1"},
            {"home", "h"},
            {"install", {{"environment", "tools"}, {"python", {"a==1", "b==2"}}}},
            {"command", {"{environment}/bin/python", "{adapter}/x.py", "{adapters}/y.py", "{bin}/z"}}};
  }

  TestProject project;
};

TEST_F(AdapterManifest, HasItsPlaceholdersFilledIn) {
  const std::string root = project.project().root.string();
  EXPECT_THAT(read(manifest()).command,
              ElementsAre(root + "/.adapters/tools/bin/python", root + "/conformance/adapters/tool/x.py",
                          root + "/conformance/adapters/y.py", project.project().executables.string() + "/z"));
}

TEST_F(AdapterManifest, OfAnUnknownNameIsAnErrorThatListsTheOthers) {
  read(manifest());
  EXPECT_THAT([this] { read_adapter(project.project(), "nope"); },
              ThrowsMessage<Error>(HasSubstr("there is no adapter 'nope'; available: tool")));
}

TEST_F(AdapterManifest, MayBeInAnyFolderAndIsThenNamedByItsPath) {
  const TemporaryFolder elsewhere;
  json own = manifest();
  own["name"] = "my-runtime";
  replace_file(elsewhere.path() / "adapter.json", own.dump());
  const Adapter adapter = read_adapter(project.project(), elsewhere.path().string() + "/");
  EXPECT_EQ(adapter.name, "my-runtime");
  EXPECT_EQ(adapter.command.at(1), elsewhere.path().string() + "/x.py");
  EXPECT_THAT([&] { require_installed(project.project(), adapter); },
              ThrowsMessage<Error>(HasSubstr("`ifcert adapter install " + elsewhere.path().string())));
  EXPECT_THAT([&] { read_adapter(project.project(), elsewhere.path().string() + "/nothing"); },
              ThrowsMessage<Error>(HasSubstr("/nothing contains no adapter.json")));
}

TEST_F(AdapterManifest, IsClosed) {
  json open = manifest();
  open["colour"] = "red";
  EXPECT_THAT([&] { read(open); }, ThrowsMessage<Error>(HasSubstr("adapter.json does not match its schema")));
}

TEST_F(AdapterManifest, HasTheMeaningOfAMemberExplainedWhereItIsNotAsExpected) {
  json own = manifest();
  own["reads"] = {"../build"};
  EXPECT_THAT([&] { read(own); }, ThrowsMessage<Error>(testing::AllOf(HasSubstr("reads[0]: "), HasSubstr("(reads: "))));
}

TEST_F(AdapterManifest, SetsVariablesButNotTheRunners) {
  json own = manifest();
  own["env"] = {{"OMP_NUM_THREADS", "1"}, {"MY_LIBRARY", "{environment}/lib"}};
  const Adapter adapter = read(own);
  EXPECT_EQ(adapter.env.at("OMP_NUM_THREADS"), "1");
  EXPECT_EQ(adapter.env.at("MY_LIBRARY"), project.project().environment("tools").string() + "/lib");
  own["env"] = {{"PYTHONPATH", "/elsewhere"}};
  EXPECT_THAT([&] { read(own); }, ThrowsMessage<Error>(HasSubstr("adapter.json does not match its schema")));
}

TEST_F(AdapterManifest, HasTheNameOfItsFolder) {
  json other = manifest();
  other["name"] = "other";
  EXPECT_THAT([&] { read(other); }, ThrowsMessage<Error>(HasSubstr("names its adapter 'other'")));
}

TEST_F(AdapterManifest, IsNotInstalledUntilItHasThePinnedPackages) {
  const Adapter adapter = read(manifest());
  EXPECT_THAT([&] { require_installed(project.project(), adapter); },
              ThrowsMessage<Error>(HasSubstr("`ifcert adapter install tool`")));
  const auto stamp = project.project().environment("tools") / "ifcert-requirements.txt";
  replace_file(stamp, "a==1\nb==3\n");
  EXPECT_FALSE(is_installed(project.project(), adapter));
  replace_file(stamp, "a==1\nb==2\n");
  EXPECT_TRUE(is_installed(project.project(), adapter));
  EXPECT_FALSE(install(project.project(), adapter)) << "a second time there is nothing to do";
}

TEST_F(AdapterManifest, WithSourcesIsBuiltInItsEnvironmentAndRebuiltWhenTheyChange) {
  const std::filesystem::path root = project.project().root;
  const std::filesystem::path environment = project.project().environment("tools");
  const std::filesystem::path built = environment / "build" / "built";
  const auto source = [](const std::string& says) {
    return "cmake_minimum_required(VERSION 3.25)\nproject(tool LANGUAGES NONE)\n"
           "file(WRITE ${CMAKE_BINARY_DIR}/built \"" +
           says + " ${IFCERT} ${ENVIRONMENT}\")\n";
  };
  replace_file(root / "bindings" / "adapters" / "cpp" / "ifcert_adapter.hpp", "");
  replace_file(environment / "ifcert-requirements.txt", "a==1\nb==2\n");
  replace_file(root / "conformance" / "adapters" / "tool" / "CMakeLists.txt", source("first"));
  json own = manifest();
  own["install"]["cmake"] = "{adapters}/tool";
  const Adapter adapter = read(own);
  EXPECT_FALSE(is_installed(project.project(), adapter));
  EXPECT_TRUE(install(project.project(), adapter));
  EXPECT_EQ(read_file(built), "first " + root.string() + " " + environment.string());
  EXPECT_FALSE(install(project.project(), adapter)) << "a second time there is nothing to do";
  replace_file(root / "conformance" / "adapters" / "tool" / "CMakeLists.txt", source("second"));
  EXPECT_FALSE(is_installed(project.project(), adapter));
  EXPECT_TRUE(install(project.project(), adapter));
  EXPECT_TRUE(read_file(built).starts_with("second"));
}

TEST_F(AdapterManifest, WithSourcesThatDoNotBuildIsNotInstalled) {
  replace_file(project.project().root / "bindings" / "adapters" / "cpp" / "ifcert_adapter.hpp", "");
  replace_file(project.project().environment("tools") / "ifcert-requirements.txt", "a==1\nb==2\n");
  replace_file(project.project().adapters() / "tool" / "CMakeLists.txt", "message(FATAL_ERROR \"no such library\")");
  json own = manifest();
  own["install"]["cmake"] = "{adapter}";
  const Adapter adapter = read(own);
  EXPECT_THAT([&] { install(project.project(), adapter); },
              ThrowsMessage<Error>(HasSubstr("cannot install the adapter tool: 'cmake ")));
  EXPECT_FALSE(is_installed(project.project(), adapter));
}

TEST_F(AdapterManifest, MayNameAProgramOfThePath) {
  json own = manifest();
  own["command"] = {"sh", "{program:sh}", "{program:no-such-program}"};
  EXPECT_THAT(read(own).command, ElementsAre("sh", program_of({"sh"}).string(), "no-such-program"));
}

TEST_F(AdapterManifest, WithoutAnEnvironmentIsAlwaysInstalled) {
  json bare = manifest();
  bare["install"] = nullptr;
  EXPECT_TRUE(is_installed(project.project(), read(bare)));
}

}  // namespace
}  // namespace ifcert::conformance
