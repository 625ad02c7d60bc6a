#include "conformance/reproduce/filled.hpp"

#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

TEST(Filled, ReplacesWordsInALine) {
  EXPECT_EQ(filled("print(VALUE, VALUE)\n", {{"VALUE", "1"}}), "print(1, 1)\n");
}

TEST(Filled, ReplacesTheLongestWord) {
  EXPECT_EQ(filled("for x in RUNS: RUN\n", {{"RUN", "f(x)"}, {"RUNS", "[\n    1,\n]"}}),
            "for x in [\n    1,\n]: f(x)\n");
}

TEST(Filled, PutsLinesWhereAWordStandsAlone) {
  EXPECT_EQ(filled("try:\n    RUN\nend\n", {{"RUN", "a\n\nb\n"}}), "try:\n    a\n\n    b\nend\n");
  EXPECT_EQ(filled("try:\n    RUN\nend\n", {{"RUN", ""}}), "try:\nend\n");
}

TEST(Filled, LeavesWordsInValues) {
  EXPECT_EQ(filled("A B\n", {{"A", "B"}, {"B", "A"}}), "B A\n");
}

}  // namespace
}  // namespace ifcert::conformance
