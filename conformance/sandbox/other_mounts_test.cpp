#include "conformance/sandbox/other_mounts.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A machine with a disk of its own for /data; a part of it is mounted a second time, another one a third time.
constexpr const char* table = R"(22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
30 22 8:2 / /data rw - ext4 /dev/sdb1 rw
31 22 8:2 /src /opt/sources rw - ext4 /dev/sdb1 rw
32 22 8:2 /src/ifcert/vectors /usr/local/my\040vectors ro - ext4 /dev/sdb1 rw
33 22 8:1 / /mnt rw - ext4 /dev/sda1 rw
)";

TEST(OtherNames, OfAFolderAreWhereItsFileSystemIsMountedAgain) {
  EXPECT_THAT(other_names("/data/src/ifcert", table), ElementsAre("/opt/sources/ifcert", "/usr/local/my vectors"));
  EXPECT_THAT(other_names("/opt/sources/ifcert", table), ElementsAre("/data/src/ifcert", "/usr/local/my vectors"));
  EXPECT_THAT(other_names("/data", table), ElementsAre("/opt/sources", "/usr/local/my vectors"));
  EXPECT_THAT(other_names("/srv/ifcert", table), ElementsAre("/mnt/srv/ifcert"));
  EXPECT_THAT(other_names("/data/other", table), IsEmpty());
  EXPECT_THAT(other_names("/database/src/ifcert", table), ElementsAre("/mnt/database/src/ifcert"));
}

TEST(OtherNames, AreNoneWhereTheTableIsEmptyOrDamaged) {
  EXPECT_THAT(other_names("/srv", ""), IsEmpty());
  EXPECT_THAT(other_names("/srv", "22 1\nx\n22 1 8:1 /\\04 \\0\n"), IsEmpty());
}

TEST(OtherNames, AreReadFromTheSystem) {
  EXPECT_NO_THROW(other_names("/usr"));
}

}  // namespace
}  // namespace ifcert::conformance
