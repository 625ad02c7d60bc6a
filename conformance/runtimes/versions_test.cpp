#include "conformance/runtimes/versions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/runtimes/registry_client.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Versions, FollowAnAdaptersNameOrPath) {
  EXPECT_EQ(split_version("onnxruntime@1.22.0").name, "onnxruntime");
  EXPECT_EQ(split_version("onnxruntime@1.22.0").version, "1.22.0");
  EXPECT_EQ(split_version("./mine@2").version, "2");
  EXPECT_EQ(split_version("./a@b/mine").name, "./a@b/mine");
  EXPECT_EQ(split_version("./a@b/mine").version, "");
  EXPECT_EQ(split_version("onnxruntime").version, "");
}

TEST(Versions, ReplaceThePinOfTheRuntimeAndLeaveTheOtherPackagesToPip) {
  const std::vector<std::string> pins{"onnxruntime==1.31.1", "numpy==2.4.6", "protobuf==7.36.2"};
  const std::vector<OlderRequirements> older{{"1.19", {"numpy<2"}}};
  EXPECT_THAT(requirements_of(pins, "1.31.1", "1.22.0", older),
              ElementsAre("onnxruntime==1.22.0", "numpy", "protobuf"));
  EXPECT_THAT(requirements_of(pins, "1.31.1", "1.18.1", older),
              ElementsAre("onnxruntime==1.18.1", "numpy", "protobuf", "numpy<2"));
  EXPECT_THAT([&] { requirements_of(pins, "9", "8", older); },
              ThrowsMessage<Error>(HasSubstr("only its pinned version 9 can be installed")));
}

TEST(Versions, AreComparedByTheirNumbers) {
  EXPECT_TRUE(is_before("1.9", "1.10"));
  EXPECT_TRUE(is_before("1.10", "1.10.1"));
  EXPECT_FALSE(is_before("1.10.1", "1.10.1"));
  EXPECT_FALSE(is_before("2025.1", "2024.6.0"));
}

TEST(Versions, InARangeAreReleasedOnesTheOldestFirst) {
  const std::vector<std::string> all{"1.31.1", "1.31.0", "1.30.0rc1", "1.9.2", "1.10.0", "1.32.0"};
  EXPECT_THAT(versions_in(all, range_from("1.10..1.31")), ElementsAre("1.10.0", "1.31.0", "1.31.1"));
  EXPECT_THAT(versions_in(all, range_from("1.9.2..1.10.0")), ElementsAre("1.9.2", "1.10.0"));
  EXPECT_THAT([&] { versions_in(all, range_from("3..4")); },
              ThrowsMessage<Error>(HasSubstr("no released version from 3 to 4")));
}

TEST(Versions, OfAWrongRangeAreRefused) {
  for (const char* wrong : {"", "1.2", "1..", "..2", "2..1", "1..x", "1...2"})
    EXPECT_THAT([&] { range_from(wrong); }, ThrowsMessage<Error>(HasSubstr("expected FROM..TO"))) << wrong;
}

TEST(Versions, BeginWithADigit) {
  for (const char* right : {"1", "1.22.0", "2025.1rc1", "1.0+cpu", "1!2", "1.0-rc.1"})
    EXPECT_NO_THROW(require_version(right)) << right;
  for (const char* wrong : {"", "latest", ".1", "1 2", "1\n2", "1/2", "1\""})
    EXPECT_THAT([&] { require_version(wrong); }, ThrowsMessage<Error>(HasSubstr("invalid version"))) << wrong;
}

TEST(Versions, AreReadFromWhatNpmPrints) {
  EXPECT_THAT(npm_versions_in("[\"1.2.3\", \"1.4.0-rc\"]\n"), ElementsAre("1.2.3", "1.4.0-rc"));
  EXPECT_THAT(npm_versions_in("\"1.2.3\"\n"), ElementsAre("1.2.3")) << "where there is only one";
  EXPECT_THAT(npm_versions_in("npm warn"), IsEmpty());
}

TEST(Versions, AreReadFromWhatPipPrints) {
  EXPECT_THAT(versions_listed("tool (1.2)\nAvailable versions: 1.2, 1.1, 1.0\n  INSTALLED: 1.2\n"),
              ElementsAre("1.2", "1.1", "1.0"));
  EXPECT_THAT(versions_listed("ERROR: No matching distribution"), IsEmpty());
}

}  // namespace
}  // namespace ifcert::conformance
