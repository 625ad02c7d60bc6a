#include "conformance/runtimes/view.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "conformance/sandbox/environment_variables.hpp"
#include "conformance/sandbox/process.hpp"
#include "conformance/system/command.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// A folder that adapters see, as they see /opt, with a checkout in it.
class SeenByAnAdapter : public testing::Test {
 protected:
  SeenByAnAdapter() {
    tool.folder = write("tool/adapter.py").parent_path();
    tool.command = {"sh", "-c", "true"};
    tool.reads = {tool.folder, system.path()};
    tool.environment = "tools";
    write("checkout/vectors/manifest.json");
    write("checkout/conformance/adapters/tool/adapter.json");
    write("checkout/.git/HEAD");
    write("checkout/results/report.json");
  }

  void SetUp() override {
    if (bubblewrap().version.empty()) GTEST_SKIP() << bubblewrap().why_not;
  }

  fs::path write(const fs::path& name) const {
    replace_file(system.path() / name, "");
    return system.path() / name;
  }

  /// A file that may be run.
  fs::path write_program(const fs::path& name) const {
    const fs::path file = write(name);
    fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
    return file;
  }

  /// Those files of the folder that the adapter can read, by their names in it, without the SDK.
  std::vector<std::string> seen(const std::vector<fs::path>& results = {}) const {
    const TemporaryFolder own;
    View view = view_of(project, tool, results);
    view.home = own.path();
    view.memory_mib = 64;
    const std::string read_all = fmt::format(
        "read line; cd {}; echo $(find . -type f | sort | while read file; do (: <$file) 2>/dev/null && echo $file; "
        "done)",
        system.path().string());
    const std::vector<std::string> command{"sh", "-c", read_all};
    Process shell(command, variables_passed_on({}), own.path(), {}, {.bubblewrap = bubblewrapped(view, command)});
    std::istringstream output(shell.exchange("", milliseconds(10'000)).text);
    std::vector<std::string> names;
    for (std::string name; output >> name;) names.push_back(name.substr(2));
    return names;
  }

  TemporaryFolder system;
  Project project{system.path() / "checkout", system.path() / "checkout" / "build" / "release" / "bin"};
  Adapter tool;
};

TEST_F(SeenByAnAdapter, IsItsFolderAndNothingOfTheCheckout) {
  EXPECT_THAT(seen(), ElementsAre("tool/adapter.py"));
}

TEST_F(SeenByAnAdapter, AreThePartsOfTheProjectThatItNeeds) {
  write("checkout/bindings/adapters/python/ifcert_adapter.py");
  write("checkout/.adapters/tools/lib/runtime.so");
  write("checkout/.adapters/others/lib/runtime.so");
  write("checkout/build/release/lib/vectors.json");
  const fs::path program = write_program("checkout/build/release/bin/other-adapter");
  tool.folder = project.adapters() / "tool";
  tool.reads = {tool.folder, project.environment("tools"), system.path()};
  tool.command = {"sh", program.string()};
  EXPECT_THAT(seen(), UnorderedElementsAre("checkout/.adapters/tools/lib/runtime.so",
                                           "checkout/bindings/adapters/python/ifcert_adapter.py",
                                           "checkout/build/release/bin/other-adapter",
                                           "checkout/conformance/adapters/tool/adapter.json", "tool/adapter.py"));
}

TEST_F(SeenByAnAdapter, IsNoAnswerThatItsManifestNames) {
  write("checkout/build/package/source/vectors/manifest.json");
  for (const char* name : {"checkout/vectors/manifest.json", "checkout/vectors", "checkout", "checkout/.git/HEAD",
                           "checkout/build", "checkout/results/report.json"}) {
    tool.reads = {tool.folder, system.path() / name};
    tool.command = {"sh", (system.path() / name).string()};
    EXPECT_THAT(seen(), ElementsAre("tool/adapter.py")) << name;
  }
}

TEST_F(SeenByAnAdapter, IsNoCheckoutUnderAnotherName) {
  fs::create_directory_symlink(system.path() / "checkout", system.path() / "link");
  project.root = system.path() / "link";
  project.environments = system.path() / "link" / ".adapters";
  EXPECT_THAT(seen(), ElementsAre("tool/adapter.py"));
}

TEST_F(SeenByAnAdapter, IsNoHistoryOrTreeThatTheCheckoutRefersTo) {
  const std::string main = (system.path() / "main").string(), tree = (system.path() / "tree").string();
  write("main/vectors/manifest.json");
  write("main/conformance/runner.cpp");
  run_to_end({"git", "init", "--quiet", main});
  run_to_end({"git", "-C", main, "add", "."});
  run_to_end({"git", "-C", main, "-c", "user.name=u", "-c", "user.email=u@example.org", "commit", "-qm", "m"});
  run_to_end({"git", "-C", main, "worktree", "add", "--quiet", tree});
  fs::remove_all(system.path() / "checkout");
  project = {tree, fs::path(tree) / "bin"};
  EXPECT_THAT(seen(), ElementsAre("tool/adapter.py"));
}

TEST_F(SeenByAnAdapter, IsNoCopyOfTheProjectInItsOwnEnvironment) {
  const fs::path python = write_program("venv/bin/python");
  write("venv/lib/python3.11/site-packages/ifcert/__init__.py");
  write("venv/lib/python3.11/site-packages/ifcert/installed/share/ifcert/vectors/manifest.json");
  write("venv/lib/python3.11/site-packages/ifcert/installed/share/ifcert/conformance/x.json");
  tool.command = {python.string()};
  EXPECT_THAT(seen(), UnorderedElementsAre("tool/adapter.py", "venv/bin/python",
                                           "venv/lib/python3.11/site-packages/ifcert/__init__.py"));
}

TEST_F(SeenByAnAdapter, AreNeitherEarlierResultsNorHistoryNorBuildsInItsFolder) {
  for (const char* name : {"results.jsonl", "report.html", "deep/results/results.jsonl", "deep/results/report.md",
                           ".git/HEAD", "build/CMakeCache.txt", "build/tool.o", "data/report.json", "data/kept"})
    write(fs::path("tool") / name);
  EXPECT_THAT(seen(), UnorderedElementsAre("tool/adapter.py", "tool/data/kept"));
}

TEST_F(SeenByAnAdapter, IsTheBuildOfItsProgram) {
  write("tool/build/CMakeCache.txt");
  write("tool/build/runtime.so");
  tool.command = {write_program("tool/build/adapter").string()};
  EXPECT_THAT(seen(), UnorderedElementsAre("tool/adapter.py", "tool/build/CMakeCache.txt", "tool/build/adapter",
                                           "tool/build/runtime.so"));
}

TEST_F(SeenByAnAdapter, AreNoResultsOfTheRunWhereverTheyLie) {
  write("out/results.jsonl.part");
  write("tool/out/journal");
  tool.reads.push_back(system.path() / "out" / "results.jsonl.part");
  EXPECT_THAT(seen({system.path() / "out", tool.folder / "out"}), ElementsAre("tool/adapter.py"));
  write("tool/results.jsonl.part");
  EXPECT_THAT(seen({system.path() / "out", tool.folder}), ElementsAre("tool/adapter.py", "tool/out/journal"));
  write("venv/pyvenv.cfg");
  tool.command = {write_program("venv/bin/python").string()};
  EXPECT_THAT(seen({system.path()}),
              UnorderedElementsAre("tool/adapter.py", "tool/out/journal", "venv/bin/python", "venv/pyvenv.cfg"));
}

TEST_F(SeenByAnAdapter, AreTheLibrariesThatWereInstalledWithAProgramOfOurs) {
  const auto shows_our_libraries = [this] {
    const std::vector<fs::path> shown = view_of(project, tool, {}).shown;
    return std::ranges::any_of(shown, [](const fs::path& path) {
      return fs::is_directory(path) && fs::canonical(path) != "/usr" && fs::exists(path / "libc.so.6");
    });
  };
  EXPECT_FALSE(shows_our_libraries());
  tool.command = {write_program("checkout/build/release/bin/ifcert-reference-adapter").string()};
  EXPECT_TRUE(shows_our_libraries());
}

}  // namespace
}  // namespace ifcert::conformance
