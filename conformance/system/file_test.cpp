#include "conformance/system/file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(File, IsReadByteForByte) {
  const TemporaryFolder folder;
  const std::string bytes = "a\0\r\n\xff"s;
  replace_file(folder.path() / "new" / "file", bytes);
  EXPECT_EQ(read_file(folder.path() / "new" / "file"), bytes);
  replace_file(folder.path() / "new" / "file", "");
  EXPECT_EQ(read_file(folder.path() / "new" / "file"), "");
}

TEST(File, ThatCannotBeReadIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_file(folder.path() / "gone"); }, ThrowsMessage<Error>(HasSubstr("gone: No such file")));
  EXPECT_THAT([&] { read_file(folder.path()); }, ThrowsMessage<Error>(HasSubstr("it is a folder, not a plain file")));
}

TEST(File, ThatIsAPipeOrADeviceIsRefusedAtOnce) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT([&] { read_file(folder.path() / "pipe"); },
              ThrowsMessage<Error>(HasSubstr("pipe: it is a pipe, not a plain file")));
  EXPECT_THAT([&] { read_file("/dev/zero"); }, ThrowsMessage<Error>(HasSubstr("it is a device, not a plain file")));
}

TEST(File, OfNoKnownSizeIsReadToItsEnd) {
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("VmSize"));
}

TEST(File, ThatRepeatsAKeyIsNamed) {
  const TemporaryFolder folder;
  replace_file(folder.path() / "f.json", R"([{"a":1},{"a":1,"a":2}])");
  EXPECT_THAT([&] { read_json(folder.path() / "f.json"); },
              ThrowsMessage<Error>(HasSubstr("f.json repeats the key 'a' in [1]")));
}

TEST(File, ThatIsNotJsonIsNamed) {
  const TemporaryFolder folder;
  replace_file(folder.path() / "f.json", "{\"a\":");
  EXPECT_THAT([&] { read_json(folder.path() / "f.json"); }, ThrowsMessage<Error>(HasSubstr("f.json is not JSON")));
}

TEST(File, ThatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  replace_file(folder.path() / "file", "x");
  EXPECT_THAT([&] { replace_file(folder.path() / "file" / "below", "y"); },
              ThrowsMessage<Error>(HasSubstr("cannot write")));
}

TEST(TemporaryFolder, IsGoneAfterwards) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    replace_file(path / "deep" / "file", "x");
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Digest, IsSha256) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace ifcert::conformance
