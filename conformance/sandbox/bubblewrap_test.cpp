// The view of the machine inside the namespaces that bubblewrap makes.
#include "conformance/sandbox/bubblewrap.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <memory>

#include "conformance/sandbox/environment_variables.hpp"
#include "conformance/sandbox/process.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

/// A user's home with a secret, and an adapter's environment in it.
class Seen : public testing::Test {
 protected:
  void SetUp() override {
    if (bubblewrap().version.empty()) GTEST_SKIP() << bubblewrap().why_not;
    fs::create_directories(environment / "bin");
    std::ofstream(home.path() / "secret") << "secret";
    std::ofstream(environment / "bin" / "library") << "library";
  }

  /// The output of a shell that echoes `words` in that view.
  std::string output(View view, const std::string& words) const {
    view.home = own.path();
    view.memory_mib = 64;
    const std::vector<std::string> command{"sh", "-c", "read line; echo " + words};
    Process shell(command, variables_passed_on({}), own.path(), {}, {.bubblewrap = bubblewrapped(view, command)});
    return shell.exchange("", milliseconds(120'000)).text;
  }

  TemporaryFolder home, own;
  fs::path environment = home.path() / "deep" / "environment";
  std::string secret = "$(cat " + (home.path() / "secret").string() + " 2>/dev/null)";
  std::string library = "$(cat " + (environment / "bin" / "library").string() + " 2>/dev/null)";
};

TEST_F(Seen, HasNothingThatIsNotShown) {
  EXPECT_EQ(output({}, "[" + secret + "]"), "[]");
  EXPECT_EQ(output({.shown = {home.path()}}, "[" + secret + "]"), "[secret]");
}

TEST_F(Seen, HasOnlyTheEnvironmentOfTheHome) {
  const View view{.shown = {environment}, .hidden = {home.path()}};
  EXPECT_EQ(output(view, "[" + secret + "] [" + library + "]"), "[] [library]");
}

TEST_F(Seen, HasNoHomeEvenIfItOrAFolderAboveItIsShown) {
  for (const fs::path& shown : {home.path(), home.path().parent_path()}) {
    const View view{.shown = {shown, environment}, .hidden = {home.path()}};
    EXPECT_EQ(output(view, "[" + secret + "] [" + library + "]"), "[] [library]") << shown;
  }
}

TEST_F(Seen, HasNoFolderThatIsHiddenUnderAnotherName) {
  const fs::path link = own.path() / "link";
  fs::create_directory_symlink(home.path() / "deep", link);
  std::ofstream(home.path() / "deep" / "results") << "results";
  const std::string results = "$(cat " + (home.path() / "deep" / "results").string() + " 2>/dev/null)";
  EXPECT_EQ(output({.shown = {home.path()}, .hidden = {link}}, "[" + secret + "] [" + results + "]"), "[secret] []");
}

TEST_F(Seen, HasAShownFileOfAHiddenFolder) {
  const View view{.shown = {home.path(), home.path() / "secret"}, .hidden = {home.path()}};
  EXPECT_EQ(output(view, "[" + secret + "] [" + library + "]"), "[secret] []");
}

TEST_F(Seen, CanBeWrittenInItsOwnFoldersOnly) {
  const auto writable = [&](const fs::path& folder) {
    return output({.shown = {environment}, .hidden = {home.path()}},
                  "$(touch " + (folder / "x").string() + " 2>/dev/null && echo yes || echo no)");
  };
  for (const fs::path& folder : {own.path(), fs::path("/tmp"), fs::path("/dev/shm")})
    EXPECT_EQ(writable(folder), "yes");
  for (const fs::path& folder :
       {environment, fs::path("/"), fs::path("/dev"), fs::path("/usr"), fs::path("/etc"), fs::path("/proc/sys/kernel")})
    EXPECT_EQ(writable(folder), "no") << folder;
}

/// Root owns the kernel's settings, and needs no capability to write them: here the value that is already there.
TEST_F(Seen, HasNoWritableSettingsOfTheKernel) {
  for (const char* setting : {"/proc/sys/vm/swappiness", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/shmmax"}) {
    const std::string words =
        fmt::format("$(v=$(cat {0}); (echo \"$v\" > {0}) 2>/dev/null && echo yes || echo no)", setting);
    EXPECT_EQ(output({}, words), "no") << setting;
  }
  EXPECT_EQ(output({}, "$(find /proc -maxdepth 1 -regex '.*/[a-z-]+' -not -type l -writable)"), "");
}

/// A process that creates a user namespace has all capabilities in it, and could mount memory that nobody counts.
TEST_F(Seen, AllowsNoNestedNamespace) {
  if (bubblewrap().nests) GTEST_SKIP() << bubblewrap().version;
  EXPECT_EQ(output({}, "$(unshare --user true 2>/dev/null && echo made || echo none)"), "none");
}

TEST_F(Seen, HasNoProcessOfTheMachine) {
  EXPECT_EQ(output({}, "$(cat /proc/1/comm)"), "bwrap");
}

TEST(Command, ShowsItsInstallation) {
  const TemporaryFolder folder;
  const fs::path program = folder.path() / "runtime" / "bin" / "python";
  fs::create_directories(program.parent_path());
  std::ofstream(program) << "#!/bin/sh";
  fs::permissions(program, fs::perms::owner_all);
  fs::create_symlink(program, folder.path() / "python");
  EXPECT_THAT(seen_by({(folder.path() / "python").string()}),
              testing::IsSupersetOf({folder.path(), folder.path() / "runtime"}));
  EXPECT_THAT([] { program_of({"no-such-program-anywhere"}); },
              testing::ThrowsMessage<Error>(HasSubstr("cannot start no-such-program-anywhere: No such file")));
}

}  // namespace
}  // namespace ifcert::conformance
