#include "conformance/runtimes/pinned_packages.hpp"

#include <gmock/gmock.h>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class PinnedPackages : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& text) const {
    replace_file(file, text);
    return read_pinned_packages(file);
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "requirements.txt";
  std::string digest = "--hash=sha256:" + std::string(64, 'a');
};

TEST_F(PinnedPackages, AreReadInTheirOrder) {
  EXPECT_THAT(read("# ours\n\nb[x]==1.0.post1 \\\n    " + digest + " \\\n    " + digest + "\na==2 " + digest + "\n"),
              ElementsAre("b[x]==1.0.post1", "a==2"));
}

TEST_F(PinnedPackages, HaveADigestEach) {
  EXPECT_THAT([&] { read("a==2 " + digest + "\n\nb==1\n"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("requirements.txt:3: 'b==1'"), HasSubstr("--hash=sha256:"))));
}

TEST_F(PinnedPackages, AreNothingElse) {
  for (const std::string& line :
       std::vector<std::string>{"a>=2 " + digest, "-r other.txt " + digest, "a==2 --hash=md5:00",
                                "a==2 " + digest + "0", "./a.whl " + digest, "a @ file:///a.whl " + digest,
                                "a==2 ; python_version>'3' " + digest, "--index-url x", "a==2 " + digest + " b==3"})
    EXPECT_THROW(read(line + "\n"), Error) << line;
  EXPECT_THAT([&] { read("# none\n"); }, ThrowsMessage<Error>(HasSubstr("found no package")));
}

TEST_F(PinnedPackages, AreReadFromWhatPipReports) {
  replace_file(file, R"({"install": [
    {"metadata": {"name": "b", "version": "2"}, "download_info": {"archive_info": {"hashes": {"sha256": "ff"}}}},
    {"metadata": {"name": "a", "version": "1"}, "download_info": {"dir_info": {}}}]})");
  EXPECT_EQ(packages_in_report(file), "a==1\nb==2 --hash=sha256:ff\n");
}

}  // namespace
}  // namespace ifcert::conformance
