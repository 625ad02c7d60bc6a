#include "conformance/sandbox/environment_variables.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace ifcert::conformance {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

TEST(Variables, IncludeThoseThatEveryProgramNeedsAndThoseThatAreNamed) {
  ::setenv("IFCERT_TEST_TOKEN", "secret", 1);
  ::setenv("LC_TEST", "C", 1);
  const auto passed_on = variables_passed_on({});
  EXPECT_THAT(passed_on, Contains(Pair("PATH", std::getenv("PATH"))));
  EXPECT_THAT(passed_on, Contains(Pair("LC_TEST", "C")));
  EXPECT_THAT(passed_on, Not(Contains(Key("IFCERT_TEST_TOKEN"))));
  EXPECT_THAT(passed_on, Not(Contains(Key("HOME"))));
  EXPECT_THAT(variables_passed_on({"IFCERT_TEST_TOKEN"}), Contains(Pair("IFCERT_TEST_TOKEN", "secret")));
}

}  // namespace
}  // namespace ifcert::conformance
