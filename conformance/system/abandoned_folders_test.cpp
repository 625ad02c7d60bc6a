#include "conformance/system/abandoned_folders.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<fs::path> folders_in(const fs::path& parent) {
  return {fs::directory_iterator(parent), {}};
}

/// A process that makes a temporary folder with a file in `parent` and is killed. `before_lock`: as if it had been
/// killed between making the folder and locking it.
void make_and_be_killed(const fs::path& parent, bool before_lock) {
  const pid_t process = ::fork();
  if (process == 0) {
    if (before_lock) {
      fs::create_directory(parent / ("ifcert-" + boot_word() + "-killed"));
    } else {
      const TemporaryFolder folder(parent);
      std::ofstream(folder.path() / "file") << "x";
      ::raise(SIGKILL);
    }
    ::raise(SIGKILL);
  }
  ::waitpid(process, nullptr, 0);
}

TEST(AbandonedFolders, AreRemovedByTheNextProcessThatMakesOne) {
  for (const bool before_lock : {false, true}) {
    const TemporaryFolder parent;
    make_and_be_killed(parent.path(), before_lock);
    ASSERT_EQ(folders_in(parent.path()).size(), 1U);
    const TemporaryFolder next(parent.path());
    EXPECT_THAT(folders_in(parent.path()), testing::ElementsAre(next.path()));
  }
}

TEST(AbandonedFolders, AreNotThoseOfLivingProcesses) {
  const TemporaryFolder parent;
  const TemporaryFolder living(parent.path());
  const std::string prefix = "ifcert-" + boot_word() + "-";
  remove_abandoned(parent.path(), prefix);
  EXPECT_TRUE(fs::exists(living.path()));
}

TEST(AbandonedFolders, AreNotThoseOfAnotherBootOrAnotherName) {
  const TemporaryFolder parent;
  for (const char* other : {"ifcert-00000000-abcdef", "ifcert-abcdef", "other"})
    fs::create_directory(parent.path() / other);
  std::ofstream(parent.path() / ("ifcert-" + boot_word() + "-file")) << "no folder";
  const TemporaryFolder next(parent.path());
  EXPECT_EQ(folders_in(parent.path()).size(), 5U);
}

TEST(AbandonedFolders, AreNotRemovedThroughSymbolicLinks) {
  const TemporaryFolder parent;
  const TemporaryFolder elsewhere;
  std::ofstream(elsewhere.path() / "file") << "x";
  fs::create_directory_symlink(elsewhere.path(), parent.path() / ("ifcert-" + boot_word() + "-link"));
  const TemporaryFolder next(parent.path());
  EXPECT_TRUE(fs::exists(elsewhere.path() / "file"));
}

TEST(AbandonedFolders, AreHeldByAProcessThatInheritsTheLock) {
  const TemporaryFolder parent;
  const fs::path path = parent.path() / ("ifcert-" + boot_word() + "-inherited");
  fs::create_directory(path);
  auto held = hold(path);
  ASSERT_TRUE(held);
  const pid_t child = ::fork();
  if (child == 0) ::pause();
  held.reset();
  remove_abandoned(parent.path(), "ifcert-" + boot_word());
  EXPECT_TRUE(fs::exists(path));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  remove_abandoned(parent.path(), "ifcert-" + boot_word());
  EXPECT_FALSE(fs::exists(path));
}

TEST(AbandonedFolders, AreNotTakenForNewOnes) {
  const TemporaryFolder parent;
  EXPECT_FALSE(hold(parent.path() / "gone"));
}

/// TMPDIR for the length of a test.
class TemporaryFiles : public testing::Test {
 protected:
  TemporaryFiles() { ::setenv("TMPDIR", (parent_.path() / "sub").c_str(), 1); }
  ~TemporaryFiles() override { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }
  fs::path named() const { return parent_.path() / "sub"; }

 private:
  const TemporaryFolder parent_;
  const std::optional<std::string> before_ =
      std::getenv("TMPDIR") == nullptr ? std::nullopt : std::optional<std::string>(std::getenv("TMPDIR"));
};

TEST_F(TemporaryFiles, NeedAFolderThatTheMessageNames) {
  const std::string missing = "TMPDIR names " + named().string() + " for temporary files: No such file or directory";
  EXPECT_THAT([] { TemporaryFolder(); }, ThrowsMessage<Error>(HasSubstr(missing)));
  std::ofstream(named()) << "a file";
  EXPECT_THAT([] { TemporaryFolder(); }, ThrowsMessage<Error>(HasSubstr("Not a directory")));
  fs::remove(named());
  fs::create_directory(named());
  EXPECT_EQ(TemporaryFolder().path().parent_path(), named());
}

TEST_F(TemporaryFiles, NeedAFolderThatCanBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(named());
  fs::permissions(named(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT([] { TemporaryFolder(); }, ThrowsMessage<Error>(HasSubstr("for temporary files: Permission denied")));
}

}  // namespace
}  // namespace ifcert::conformance
