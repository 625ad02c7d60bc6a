#include "conformance/results/cost.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

AdapterIdentity identity_named(const std::string& name) {
  AdapterIdentity adapter;
  adapter.name = name;
  return adapter;
}

/// An adapter with these wall times; the runtime's part of each is 10 ms where it is reported.
Certification timed(const std::vector<double>& wall, bool reported) {
  Certification certification;
  certification.adapters = {identity_named("a")};
  for (const double milliseconds : wall) {
    Result result;
    result.adapter = "a";
    result.milliseconds = milliseconds;
    if (reported) result.runtime_milliseconds = 10;
    certification.results.push_back(result);
  }
  return certification;
}

TEST(Cost, IsOursExceptForTheRuntimesPart) {
  std::vector<double> wall;
  for (int i = 100; i >= 1; --i) wall.push_back(10 + i);  // overheads 1 … 100
  const Cost cost = costs_of(timed(wall, true)).at(0);
  EXPECT_EQ(cost.vectors, 100U);
  EXPECT_DOUBLE_EQ(cost.milliseconds, 1000 + 5050);
  EXPECT_DOUBLE_EQ(cost.overhead.value().median, 50);
  EXPECT_DOUBLE_EQ(cost.overhead.value().percentile_95, 95);
}

TEST(Cost, OfOneVectorIsItsOwnMedian) {
  EXPECT_DOUBLE_EQ(costs_of(timed({12}, true)).at(0).overhead.value().median, 2);
  EXPECT_DOUBLE_EQ(costs_of(timed({12}, true)).at(0).overhead.value().percentile_95, 2);
}

TEST(Cost, IsNeverNegative) {
  EXPECT_DOUBLE_EQ(costs_of(timed({9}, true)).at(0).overhead.value().median, 0);
}

TEST(Cost, HasNoOverheadWhereTheAdapterReportsNoTimes) {
  const Cost cost = costs_of(timed({12, 13}, false)).at(0);
  EXPECT_FALSE(cost.overhead.has_value());
  EXPECT_EQ(cost_line(cost), "a: 2 vectors in 0.0 s");
}

TEST(Cost, IsTheWallTimeWhereItWasMeasured) {
  Certification certification = timed({12, 13, 14}, false);
  certification.wall_times["a"] = {.seconds = 2.5};
  EXPECT_EQ(cost_line(costs_of(certification).at(0)), "a: 3 vectors in 2.5 s");
}

TEST(Cost, IncludesTheTimeOfRetries) {
  Certification certification = timed({12, 13, 14}, false);
  for (Result& result : certification.results) result.confirmed_by = "v";
  certification.results[1].vector = "v";
  certification.wall_times["a"] = {.seconds = 2.5, .retry_seconds = 1.25};
  EXPECT_EQ(
      cost_line(costs_of(certification).at(0)),
      "a: 3 vectors in 2.5 s, and 1.2 s to retry failures that no list names; confirmed: 1 alone in a fresh process, 2 "
      "after another with the same failure");
}

TEST(Cost, IsCountedSeparatelyForEachAdapter) {
  Certification certification = timed({12, 13}, true);
  certification.adapters.push_back(identity_named("b"));
  certification.results.back().adapter = "b";
  EXPECT_EQ(cost_line(costs_of(certification).at(1)),
            "b: 1 vectors in 0.0 s; overhead per vector: median 3.00 ms, 95th percentile 3.00 ms");
}

}  // namespace
}  // namespace ifcert::conformance
