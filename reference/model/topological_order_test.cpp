#include "model/topological_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifcert {
namespace {

using testing::ElementsAre;

TEST(TopologicalOrder, LeavesWhatIsInOrder) {
  const std::vector<Precedence> in_order{{0, 1}, {1, 3}, {0, 2}};
  EXPECT_THAT(topological_order(4, in_order).order, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(topological_order(0, {}).order, ElementsAre());
}

TEST(TopologicalOrder, MovesOnlyWhatMustWait) {
  const std::vector<Precedence> late{{3, 1}, {3, 1}, {1, 2}};
  EXPECT_THAT(topological_order(5, late).order, ElementsAre(0, 3, 1, 2, 4));
}

TEST(TopologicalOrder, WhatIsInACycleOrNeedsOneComesLastInTheOldOrder) {
  const std::vector<Precedence> cycle{{1, 2}, {2, 1}, {2, 0}, {4, 3}};
  const TopologicalOrder sorted = topological_order(5, cycle);
  EXPECT_THAT(sorted.order, ElementsAre(4, 3, 0, 1, 2));
  EXPECT_THAT(sorted.placed, ElementsAre(false, false, false, true, true));
  EXPECT_THAT(topological_order(1, std::vector<Precedence>{{0, 0}}).placed, ElementsAre(false));
}

}  // namespace
}  // namespace ifcert
