#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t huge = std::int64_t{1} << 62;

TEST(Expand, BroadcastsInBothDirections) {
  const Value column = floats({3, 1}, {1, 2, 3});
  EXPECT_THAT(evaluated({"Expand", {column, list({2, 1, 2})}}),
              IsValue(floats({2, 3, 2}, {1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3})));
  EXPECT_THAT(evaluated({"Expand", {column, list({1})}}), IsValue(column));
  EXPECT_THAT(evaluated({"Expand", {floats({}, {7}), list({0})}}), IsValue(floats({0}, {})));
  EXPECT_THAT(evaluated({"Expand", {make_strings({1}, {"a"}), list({2})}}), IsValue(make_strings({2}, {"a", "a"})));
}

TEST(Expand, RefusesOperandsThatDoNotFit) {
  EXPECT_THAT(refusal({"Expand", {floats({3}, {1, 2, 3}), list({2})}}), HasSubstr("do not broadcast"));
  EXPECT_THAT(refusal({"Expand", {floats({1}, {1}), list({-1})}}), HasSubstr("negative dim"));
  EXPECT_THAT(refusal({"Expand", {floats({1}, {1}), list({huge, 8})}}), HasSubstr("more than 4 GiB"));
  EXPECT_THAT(refusal({"Expand", {floats({1}, {1}), integers({}, {2})}}), HasSubstr("rank 0"));
}

TEST(Tile, ComputesTheExampleOfItsSpecification) {
  const Value square = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(evaluated({"Tile", {square, list({1, 2})}}), IsValue(floats({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4})));
  EXPECT_THAT(evaluated({"Tile", {square, list({2, 1})}}), IsValue(floats({4, 2}, {1, 2, 3, 4, 1, 2, 3, 4})));
  EXPECT_THAT(evaluated({"Tile", {square, list({0, 3})}}), IsValue(floats({0, 6}, {})));
}

TEST(Tile, RefusesOperandsThatDoNotFit) {
  EXPECT_EQ(refusal({"Tile", {floats({1}, {1}), list({1, 1})}}), "Tile: 2 repeats are given for 1 axes");
  EXPECT_THAT(refusal({"Tile", {floats({1}, {1}), list({-1})}}), HasSubstr("-1 times"));
  EXPECT_THAT(refusal({"Tile", {floats({2}, {1, 2}), list({huge})}}), HasSubstr("more elements than"));
  EXPECT_THAT(refusal({"Tile", {floats({4}, {1, 2, 3, 4}), list({huge})}}), HasSubstr("64 bits"));
}

TEST(RepetitionTypes, AreKnownWhereTheListIs) {
  const Type any_list = Type::tensor(ElementType::int64);
  EXPECT_EQ(inferred({"Expand"}, {float_type({3, 1}), any_list}, {{}, list({2, 1, 2})}), float_type({2, 3, 2}));
  EXPECT_EQ(inferred({"Expand"}, {float_type({3, 1}), any_list}), Type::tensor(ElementType::float32));
  EXPECT_EQ(inferred({"Tile"}, {float_type({3, -1}), any_list}, {{}, list({2, 2})}), float_type({6, -1}));
  EXPECT_THROW(inferred({"Tile"}, {float_type({3}), float_type({1})}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
