#include "conformance/runtimes/toolchain.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"
#include "conformance/testing/test_project.hpp"

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
  Adapter read(const std::string& name = "tool") const {
    write("adapter.json", own.dump());
    return read_adapter(project.project(), name);
  }

  /// The message with which nothing is installed.
  std::string refusal(const std::string& name) const {
    try {
      install(project.project(), read(name));
    } catch (const Error& fault) {
      return fault.what();
    }
    return "installed";
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

/// Which is there to build the adapter by hand.
TEST_F(AdapterInGo, MayHaveACopyOfTheSdkBesideItWhichIsNotUsed) {
  const ToolInPath go("go",
                      "case $1 in version) echo go version go1.22.5 linux/amd64;;\n"
                      "*) mkdir -p $(dirname $6); cat $3/ifcert_adapter.go > $6;; esac");
  write("ifcert_adapter.go", "an older one\n");
  const Adapter adapter = read();
  EXPECT_TRUE(install(project.project(), adapter));
  EXPECT_EQ(read_file(environment / "bin" / "adapter"), "package main\n");
  write("ifcert_adapter.go", "another one\n");
  EXPECT_TRUE(is_installed(project.project(), adapter));
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
  EXPECT_THAT([&] { install(project.project(), adapter); },
              ThrowsMessage<Error>(
                  testing::EndsWith("go.sum is missing; in its folder this writes it: go mod tidy && touch go.sum")));
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

/// A runtime of one's own needs no package of a registry: npm and Maven make no folder then, and cargo names none.
TEST_F(AnInstallStep, MayHaveNoPackages) {
  const std::filesystem::path sdks = project.project().root / "bindings" / "adapters";
  for (const char* sdk : {"javascript/ifcert_adapter.js", "java/IfcertAdapter.java", "rust/ifcert_adapter.rs"})
    replace_file(sdks / sdk, "");
  for (const char* file : {"package.json", "package-lock.json", "pom.xml", "jars.sha256", "Cargo.toml"})
    write(file, "");
  write("Cargo.lock.in", "version = 4\n");
  const ToolInPath npm("npm", ""), maven("mvn", ""), compiler("javac", "mkdir -p $4"), java("java", ""),
      rustc("rustc", "echo rustc 1.95.0"),
      cargo("cargo", "[ $1 = install ] || echo 'version = 4' > $(dirname $4)/Cargo.lock"), node("node", "echo v20.1.0");
  for (const char* tool : {"npm", "maven", "cargo"}) {
    own["install"] = {{"environment", "tools"}, {tool, "{adapter}"}};
    EXPECT_EQ(refusal("tool"), "installed") << tool;
  }
}

/// The names of those that are needed come from the manifest.
TEST_F(AnInstallStep, NeedsTheProgramsOfItsManifestBeforeAnythingIsBuilt) {
  own["install"] = {{"environment", "tools"},
                    {"cargo", "{adapter}"},
                    {"programs", {{"ifcert-test-protoc", "Debian's package protobuf-compiler"}}}};
  write("Cargo.toml", "");
  write("Cargo.lock.in", "");
  replace_file(project.project().root / "bindings" / "adapters" / "rust" / "ifcert_adapter.rs", "");
  const ToolInPath rustc("rustc", "echo rustc 1.95.0");
  const ToolInPath cargo("cargo", "touch " + (project.project().adapters() / "was-called").string());
  const std::string sentence =
      "ifcert-test-protoc is needed and is not in PATH: it is in Debian's package protobuf-compiler";
  EXPECT_EQ(refusal("tool"), "cannot install the adapter tool: " + sentence);
  EXPECT_EQ(missing_toolchain(read()), sentence);
  EXPECT_FALSE(std::filesystem::exists(project.project().adapters() / "was-called"));
  const ToolInPath protoc("ifcert-test-protoc", "");
  EXPECT_EQ(missing_toolchain(read()), "");
}

/// The runtime is the package `engine`, 1.2.3 as pinned, of each package manager; there is no version of 9.
class AnotherVersion : public AnInstallStep {
 protected:
  AnotherVersion() { own["version"] = "1.2.3"; }

  void by(const std::string& tool) { own["install"] = {{"environment", "tools"}, {tool, "{adapter}"}}; }

  void by_npm() {
    by("npm");
    write("package.json", R"({"dependencies": {"engine": "1.2.3", "other": "4.5.6"}})");
    write("package-lock.json", "{}");
    replace_file(project.project().root / "bindings" / "adapters" / "javascript" / "ifcert_adapter.js", "");
  }

  void by_maven() {
    by("maven");
    write("pom.xml", "<maven.compiler.release>11</maven.compiler.release><version>1.2.3</version>");
    write("jars.sha256", std::string(64, '0') + "  engine-1.2.3.jar\n");
    replace_file(project.project().root / "bindings" / "adapters" / "java" / "IfcertAdapter.java", "");
  }

  void by_cargo() {
    by("cargo");
    write("Cargo.toml", "engine = \"=1.2.3\"\nengine-core = { version = \"=1.2.3\" }\nother = \"=4.5.6\"\n");
    write("Cargo.lock.in", "locked\n");
    replace_file(project.project().root / "bindings" / "adapters" / "rust" / "ifcert_adapter.rs", "");
  }

  std::filesystem::path other = project.project().environment("tools@1.4.0");
  const std::string npm = "cp $3/package.json $3/$1.json; mkdir $3/node_modules";
  const ToolInPath node{"node", "echo v20.1.0"};
  const ToolInPath java{"java", ""};
  const ToolInPath javac{"javac", "echo javac 17.0.1"};
  const ToolInPath rustc{"rustc", "echo rustc 1.95.0"};
};

TEST_F(AnotherVersion, OfNpmIsInstalledBesideThePinnedOneWithoutItsLockFile) {
  by_npm();
  const ToolInPath tool("npm", npm);
  const Adapter adapter = read("tool@1.4.0");
  EXPECT_EQ(adapter.name, "tool@1.4.0");
  EXPECT_EQ(adapter.version, "1.4.0");
  EXPECT_NE(adapter.digest, read().digest);
  EXPECT_TRUE(install(project.project(), adapter));
  EXPECT_EQ(read_file(other / "install.json"), R"({"dependencies": {"engine": "1.4.0", "other": "4.5.6"}})");
  EXPECT_FALSE(std::filesystem::exists(other / "package-lock.json"));
  EXPECT_FALSE(install(project.project(), adapter)) << "a second time there is nothing to do";
  EXPECT_FALSE(is_installed(project.project(), read())) << "the pinned version is another adapter";
  EXPECT_TRUE(install(project.project(), read("tool@1.2.3")));
  EXPECT_TRUE(std::filesystem::exists(environment / "ci.json"));
  EXPECT_TRUE(std::filesystem::exists(environment / "package-lock.json"));
}

TEST_F(AnotherVersion, OfMavenHasOtherJarsThanThoseThatAreListed) {
  by_maven();
  const ToolInPath tool("mvn", "folder=${6#*=}; mkdir -p $folder; cp $4 $folder/pom.jar");
  const ToolInPath compiler("javac", "echo javac 17.0.1; mkdir -p $4");
  EXPECT_TRUE(install(project.project(), read("tool@1.4.0")));
  EXPECT_THAT(read_file(other / "jars" / "pom.jar"), HasSubstr("<version>1.4.0</version>"));
}

TEST_F(AnotherVersion, OfCargoIsThatOfAllCratesWithThePinnedOne) {
  by_cargo();
  const ToolInPath tool("cargo",
                        "case $1 in\n"
                        "generate-lockfile) echo resolved > $(dirname $4)/Cargo.lock;;\n"
                        "install) mkdir $8/bin; cat $6/Cargo.toml $6/Cargo.lock > $8/bin/adapter;;\nesac");
  EXPECT_TRUE(install(project.project(), read("tool@1.4.0")));
  EXPECT_EQ(read_file(other / "bin" / "adapter"),
            "engine = \"=1.4.0\"\nengine-core = { version = \"=1.4.0\" }\nother = \"=4.5.6\"\nresolved\n");
}

/// Each client's message for a version that does not exist, and the sentence that ifcert makes of it.
TEST_F(AnotherVersion, ThatDoesNotExistIsRefusedInOneSentence) {
  by_npm();
  const ToolInPath npm_("npm", "echo 'npm error notarget No matching version found for engine@9.0.0.' >&2; exit 1");
  EXPECT_EQ(refusal("tool@9.0.0"), "cannot install the adapter tool@9.0.0: npm finds no version 9.0.0 of engine");
  by_maven();
  for (const char* line : {"Could not find artifact org.engine:engine:jar:9.0.0 in central",
                           "org.engine:engine:jar:9.0.0 was not found in central during a previous attempt"}) {
    const ToolInPath mvn("mvn", fmt::format("echo '[ERROR] {}'; exit 1", line));
    EXPECT_EQ(refusal("tool@9.0.0"),
              "cannot install the adapter tool@9.0.0: Maven finds no version 9.0.0 of org.engine:engine");
  }
  by_cargo();
  const ToolInPath cargo("cargo", R"sh(echo 'required: requirement `engine-core = "=9.0.0"`' >&2; exit 101)sh");
  EXPECT_EQ(refusal("tool@9.0.0"),
            "cannot install the adapter tool@9.0.0: cargo finds no version 9.0.0 of engine-core");
}

TEST_F(AnotherVersion, IsNotMissingBecauseSomethingElseFails) {
  by_npm();
  for (const char* line : {"npm error network timeout", "No matching version found for engine@9.0.01.",
                           "No matching version found for engine@9x0y0."}) {
    const ToolInPath tool("npm", fmt::format("echo '{}' >&2; exit 1", line));
    testing::internal::CaptureStderr();
    EXPECT_THAT(refusal("tool@9.0.0"), testing::EndsWith("--loglevel=error' failed"));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string(line) + "\n") << "its own words are shown";
  }
}

TEST_F(AnotherVersion, IsInstalledWithoutTheColoursOfItsClient) {
  by_npm();
  const ToolInPath tool("npm", R"(printf '\033[0m\033[1;31mno\033[m network\n' >&2; exit 1)");
  testing::internal::CaptureStderr();
  refusal("tool@9.0.0");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "no network\n");
}

TEST_F(AnotherVersion, IsAWholeVersion) {
  by_npm();
  EXPECT_EQ(refusal("tool@1.4"),
            "tool: npm has no version '1.4' of any package; expected a whole version, such as 1.2.3");
  by_cargo();
  EXPECT_EQ(refusal("tool@1.4"),
            "tool: cargo has no version '1.4' of any package; expected a whole version, such as 1.2.3");
  EXPECT_EQ(refusal("tool@latest"), "tool: invalid version 'latest'; expected a number, such as 1.22.0");
  EXPECT_EQ(refusal("tool@1.0.0\", \"x"), "tool: invalid version '1.0.0\", \"x'; expected a number, such as 1.22.0");
}

TEST_F(AnotherVersion, NeedsAPackageWithThePinnedOne) {
  by_npm();
  write("package.json", R"({"dependencies": {"engine": "^1.2.3"}})");
  EXPECT_EQ(refusal("tool@1.4.0"),
            "tool: only its pinned version 1.2.3 can be installed: package.json has no package with \"1.2.3\"");
  by("go");
  write("go.mod", "require engine v1.2.3\n");
  write("go.sum", "");
  EXPECT_EQ(refusal("tool@1.4.0"),
            "tool: only its pinned version 1.2.3 can be installed: NAME@VERSION is for what pip, npm, Maven and cargo "
            "install");
}

TEST_F(AnotherVersion, IsListedByNpmAlone) {
  by_npm();
  const ToolInPath tool("npm", R"sh([ "$*" = "view engine versions --json" ] && echo '["1.2.3", "1.4.0"]')sh");
  EXPECT_THAT(released_versions(read().steps.front(), "1.2.3"), testing::ElementsAre("1.2.3", "1.4.0"));
  by_maven();
  EXPECT_THAT([&] { released_versions(read().steps.front(), "1.2.3"); },
              ThrowsMessage<Error>(HasSubstr("Maven has no command that lists the released versions")));
}

}  // namespace
}  // namespace ifcert::conformance
