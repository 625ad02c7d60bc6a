#include <gtest/gtest.h>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

TEST(NonZero, HasARowOfIndicesForEachAxis) {
  EXPECT_THAT(evaluated({"NonZero", {floats({2, 3}, {0, 1, 0, -2, 0, 3})}}),
              IsValue(integers({2, 3}, {0, 1, 1, 1, 0, 2})));
  EXPECT_THAT(evaluated({"NonZero", {booleans({4}, {1, 0, 0, 1})}}), IsValue(integers({1, 2}, {0, 3})));
  EXPECT_THAT(evaluated({"NonZero", {integers({2, 1, 2}, {0, 5, 6, 0})}}),
              IsValue(integers({3, 2}, {0, 1, 0, 0, 1, 0})));
}

TEST(NonZero, OfAScalarHasNoRows) {
  EXPECT_THAT(evaluated({"NonZero", {floats({}, {4})}}), IsValue(integers({0, 1}, {})));
  EXPECT_THAT(evaluated({"NonZero", {floats({}, {0})}}), IsValue(integers({0, 0}, {})));
}

TEST(NonZero, FindsNothingAmongZerosOrNothing) {
  EXPECT_THAT(evaluated({"NonZero", {floats({2}, {0, -0.0F})}}), IsValue(integers({1, 0}, {})));
  EXPECT_THAT(evaluated({"NonZero", {floats({0, 3}, {})}}), IsValue(integers({2, 0}, {})));
  EXPECT_THAT(refusal({"NonZero", {make_strings({1}, {"a"})}}), HasSubstr("tensor(string)"));
}

TEST(NonZeroTypes, HaveTheRankOfTheOperandAsTheirFirstDim) {
  EXPECT_EQ(inferred({"NonZero"}, {float_type({2, -1})}), Type::tensor(ElementType::int64, static_shape({2, -1})));
  EXPECT_EQ(inferred({"NonZero"}, {Type::tensor(ElementType::float32)}),
            Type::tensor(ElementType::int64, static_shape({-1, -1})));
}

}  // namespace
}  // namespace ifcert::kernels
