#include "conformance/toolchain.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "conformance/adapter.hpp"
#include "conformance/environment.hpp"
#include "conformance/error.hpp"
#include "conformance/file.hpp"
#include "conformance/temporary_folder.hpp"
#include "conformance/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Precedes the real tools in PATH, so that nothing is fetched.
class ToolInPath {
 public:
  ToolInPath(const std::string& name, const std::string& script) {
    const std::filesystem::path file = folder_.path() / name;
    replace_file(file, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder_.path().string() + ":" + before_).c_str(), 1);
  }
  ~ToolInPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  TemporaryFolder folder_;
  std::string before_ = std::getenv("PATH");
};

/// An adapter that is installed by a tool, into the environment "tools".
class AnInstallStep : public testing::Test {
 protected:
  Adapter read() const {
    write("adapter.json", own.dump());
    return read_adapter(project.project(), "tool");
  }

  void write(const std::string& name, const std::string& text) const {
    replace_file(project.project().adapters() / "tool" / name, text);
  }

  TestProject project;
  std::filesystem::path environment = project.project().environment("tools");
  json own{{"name", "tool"}, {"systems", {"onnx"}}, {"version", "1"}, {"home", "h"}, {"command", {"sh"}}};
};

class AdapterInGo : public AnInstallStep {
 protected:
  AdapterInGo() {
    own["install"] = {{"environment", "tools"}, {"go", "{adapter}"}};
    write("go.mod", "module tool\n\ngo 1.22\n");
    write("go.sum", "example.org/module v1.0.0 h1:abc=\n");
    write("adapter.go", "package main\n");
    replace_file(project.project().root / "bindings" / "adapters" / "go" / "ifcert_adapter.go", "package main\n");
  }

  /// Writes the names of the files that it is given as the program: go build -C FOLDER -trimpath -o PROGRAM .
  const std::string builds =
      "case $1 in version) echo go version go1.22.5 linux/amd64;; *) ls $3 | paste -sd ' ' > $6;; esac";
};

TEST_F(AdapterInGo, IsBuiltFromItsSourcesWithTheSdkAndBuiltAgainWhenTheyChange) {
  const ToolInPath go("go", "mkdir -p $(dirname ${6:-x}); " + builds);
  const Adapter adapter = read();
  EXPECT_FALSE(is_installed(project.project(), adapter));
  EXPECT_TRUE(install(project.project(), adapter));
  EXPECT_EQ(read_file(environment / "bin" / "adapter"), "adapter.go go.mod go.sum ifcert_adapter.go\n");
  EXPECT_FALSE(install(project.project(), adapter)) << "a second time there is nothing to do";
  write("go.sum", "example.org/module v1.0.1 h1:abd=\n");
  EXPECT_FALSE(is_installed(project.project(), adapter));
}

TEST_F(AdapterInGo, IsThereCompletelyOrNotAtAll) {
  const ToolInPath go("go", "[ $1 = version ] && echo go version go1.26.1 linux/amd64");
  const Adapter adapter = read();
  EXPECT_THAT([&] { install(project.project(), adapter); },
              ThrowsMessage<Error>(HasSubstr("cannot install the adapter tool: 'go build ")));
  EXPECT_FALSE(is_installed(project.project(), adapter));
  EXPECT_TRUE(std::filesystem::is_empty(environment.parent_path())) << "nothing is left";
}

TEST_F(AdapterInGo, IsNotInstalledWithAnOlderGo) {
  const ToolInPath go("go", "echo go version go1.19.8 linux/amd64");
  const Adapter adapter = read();
  EXPECT_THAT(
      [&] { install(project.project(), adapter); },
      ThrowsMessage<Error>("cannot install the adapter tool: go 1.22 or newer is needed, and 1.19.8 is in PATH: "
                           "it is in Debian's package golang-go, or a newer one from https://go.dev/dl"));
}

TEST_F(AdapterInGo, IsNotInstalledWithoutGo) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const Adapter adapter = read();
  EXPECT_THAT([&] { install(project.project(), adapter); },
              ThrowsMessage<Error>(HasSubstr("go is needed and is not in PATH: it is in Debian's package golang-go")));
  ::setenv("PATH", before.c_str(), 1);
}

TEST_F(AdapterInGo, NeedsItsLockFile) {
  const ToolInPath go("go", builds);
  std::filesystem::remove(project.project().adapters() / "tool" / "go.sum");
  const Adapter adapter = read();
  EXPECT_THAT([&] { install(project.project(), adapter); }, ThrowsMessage<Error>(HasSubstr("go.sum is missing")));
}

TEST_F(AnInstallStep, TakesOnlyTheJarsThatAreListed) {
  own["install"] = {{"environment", "tools"}, {"maven", "{adapter}"}};
  write("pom.xml", "<project><maven.compiler.release>11</maven.compiler.release></project>");
  write("jars.sha256", std::string(64, '0') + "  a.jar\n");
  replace_file(project.project().root / "bindings" / "adapters" / "java" / "IfcertAdapter.java", "");
  const ToolInPath java("java", "");
  const ToolInPath javac("javac", "echo javac 17.0.1");
  const ToolInPath maven("mvn", "folder=${6#*=}; mkdir -p $folder; echo other > $folder/a.jar");
  const Adapter adapter = read();
  EXPECT_THAT([&] { install(project.project(), adapter); },
              ThrowsMessage<Error>(HasSubstr("Maven fetched other jars than jars.sha256 lists")));
  EXPECT_FALSE(is_installed(project.project(), adapter));
}

/// The committed lock file names no registry; cargo gets the one that it uses itself.
TEST_F(AnInstallStep, OfCargoIsBuiltWithTheVersionsOfItsLockFile) {
  own["install"] = {{"environment", "tools"}, {"cargo", "{adapter}"}};
  write("Cargo.toml", "rust-version = \"1.80\"\n");
  write("Cargo.lock.in", "version = 4\nsource = \"{registry}\"\nsource = \"{registry}\"\n");
  replace_file(project.project().root / "bindings" / "adapters" / "rust" / "ifcert_adapter.rs", "");
  const ToolInPath rustc("rustc", "echo 'rustc 1.95.0 (f2d3ce0bd 2026-03-21)'");
  const ToolInPath cargo("cargo",
                         "case $1 in\n"
                         "generate-lockfile) echo 'source = \"registry+here\"' > $(dirname $4)/Cargo.lock;;\n"
                         "install) mkdir $8/bin; cp $6/Cargo.lock $8/bin/adapter;;\nesac");
  EXPECT_TRUE(install(project.project(), read()));
  EXPECT_EQ(read_file(environment / "bin" / "adapter"),
            "version = 4\nsource = \"registry+here\"\nsource = \"registry+here\"\n");
}

}  // namespace
}  // namespace ifcert::conformance
