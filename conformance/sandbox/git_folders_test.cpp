#include "conformance/sandbox/git_folders.hpp"

#include <gmock/gmock.h>

#include "conformance/system/command.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class GitFolders : public testing::Test {
 protected:
  /// A repository with one commit; its working tree is a project.
  fs::path repository(const std::string& name) const {
    const fs::path made = folder.path() / name;
    replace_file(made / "vectors" / "manifest.json", "{}");
    replace_file(made / "conformance" / "README", "");
    git({"init", "--quiet", made.string()});
    git({"-C", made.string(), "add", "."});
    git({"-C", made.string(), "-c", "user.name=u", "-c", "user.email=u@example.org", "commit", "--quiet", "-m", "m"});
    return made;
  }

  static void git(std::vector<std::string> words) {
    words.insert(words.begin(), "git");
    run_to_end(words);
  }

  TemporaryFolder folder;
};

TEST_F(GitFolders, AreNoneWithoutARepository) {
  EXPECT_THAT(git_folders(folder.path()), IsEmpty());
  EXPECT_THAT(git_folders(folder.path() / "missing"), IsEmpty());
}

TEST_F(GitFolders, OfACheckoutAreItsOwn) {
  const fs::path checkout = repository("checkout");
  EXPECT_THAT(git_folders(checkout), UnorderedElementsAre(checkout / ".git", checkout));
  EXPECT_THAT(git_folders(checkout / "vectors"), UnorderedElementsAre(checkout / ".git", checkout))
      << "a part of a larger repository";
  fs::create_directory_symlink(checkout, folder.path() / "link");
  EXPECT_THAT(git_folders(folder.path() / "link"), UnorderedElementsAre(checkout / ".git", checkout));
}

TEST_F(GitFolders, OfALinkedWorkingTreeAreThoseOfTheRepositoryAndOfItsOtherTrees) {
  const fs::path checkout = repository("checkout"), tree = folder.path() / "tree";
  git({"-C", checkout.string(), "worktree", "add", "--quiet", tree.string()});
  const auto all = UnorderedElementsAre(checkout / ".git", checkout, checkout / ".git" / "worktrees" / "tree", tree);
  EXPECT_THAT(git_folders(tree), all);
  EXPECT_THAT(git_folders(checkout), UnorderedElementsAre(checkout / ".git", checkout, tree));
}

TEST_F(GitFolders, MayLieElsewhere) {
  const fs::path checkout = repository("checkout"), elsewhere = folder.path() / "history";
  git({"-C", checkout.string(), "init", "--quiet", "--separate-git-dir", elsewhere.string()});
  EXPECT_THAT(git_folders(checkout), UnorderedElementsAre(elsewhere));
}

TEST_F(GitFolders, OfACloneAreThoseFromWhichItBorrowsAndWasMade) {
  const fs::path origin = repository("origin"), bare = folder.path() / "bare.git", clone = folder.path() / "clone";
  git({"clone", "--quiet", "--bare", origin.string(), bare.string()});
  git({"clone", "--quiet", "--shared", bare.string(), clone.string()});
  EXPECT_THAT(git_folders(clone), UnorderedElementsAre(clone / ".git", clone, bare, origin / ".git", origin));
  git({"-C", clone.string(), "remote", "remove", "origin"});
  EXPECT_THAT(git_folders(clone), UnorderedElementsAre(clone / ".git", clone, bare, origin / ".git", origin))
      << "it still borrows objects";
}

TEST_F(GitFolders, DoNotIncludeAWorkingTreeOfSomethingElse) {
  const fs::path checkout = repository("checkout");
  fs::remove_all(checkout / "vectors");
  EXPECT_THAT(git_folders(checkout), UnorderedElementsAre(checkout / ".git"));
}

TEST_F(GitFolders, MayReferToEachOtherInACircle) {
  const fs::path one = repository("one"), two = repository("two");
  git({"-C", one.string(), "remote", "add", "origin", "file://" + two.string()});
  git({"-C", two.string(), "remote", "add", "origin", one.string()});
  EXPECT_THAT(git_folders(one), UnorderedElementsAre(one / ".git", one, two / ".git", two));
}

}  // namespace
}  // namespace ifcert::conformance
