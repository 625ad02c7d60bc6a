#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

Attributes at_axis(std::int64_t number) {
  return {{"axis", number}};
}

const Value off_and_on = floats({2}, {2, 5});

TEST(OneHot, SetsOnePositionForEachIndexAlongTheLastAxis) {
  EXPECT_THAT(evaluated({"OneHot", {integers({2}, {0, 2}), integers({}, {3}), off_and_on}}),
              IsValue(floats({2, 3}, {5, 2, 2, 2, 2, 5})));
  EXPECT_THAT(evaluated({"OneHot", {integers({}, {1}), integers({1}, {2}), make_strings({2}, {"no", "yes"})}}),
              IsValue(make_strings({2}, {"no", "yes"})));
}

TEST(OneHot, InsertsTheAxisWhereItIsRequested) {
  const Value indices = integers({2, 2}, {0, 1, 1, 1});
  EXPECT_THAT(evaluated({"OneHot", {indices, integers({}, {2}), off_and_on}, at_axis(0)}),
              IsValue(floats({2, 2, 2}, {5, 2, 2, 2, 2, 5, 5, 5})));
  EXPECT_THAT(evaluated({"OneHot", {indices, integers({}, {2}), off_and_on}, at_axis(-2)}),
              IsValue(floats({2, 2, 2}, {5, 2, 2, 5, 2, 2, 5, 5})));
  EXPECT_THAT(refusal({"OneHot", {indices, integers({}, {2}), off_and_on}, at_axis(3)}), HasSubstr("axis 3"));
}

TEST(OneHot, CountsNegativeIndicesFromTheEndAndTurnsOthersOff) {
  EXPECT_THAT(evaluated({"OneHot", {integers({4}, {-1, -2, -3, 2}), integers({}, {2}), off_and_on}}),
              IsValue(floats({4, 2}, {2, 5, 5, 2, 2, 2, 2, 2})));
  EXPECT_THAT(evaluated({"OneHot", {floats({1}, {1.75}), floats({}, {2.5}), off_and_on}}),
              IsValue(floats({1, 2}, {2, 5})));
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(evaluated({"OneHot", {integers({2}, {least, greatest}), integers({}, {2}), off_and_on}}),
              IsValue(floats({2, 2}, {2, 2, 2, 2})));
}

TEST(OneHot, OfNothingHasNoElements) {
  EXPECT_THAT(evaluated({"OneHot", {integers({0}, {}), integers({}, {3}), off_and_on}}), IsValue(floats({0, 3}, {})));
  EXPECT_THAT(evaluated({"OneHot", {integers({2}, {0, 0}), integers({}, {0}), off_and_on}}),
              IsValue(floats({2, 0}, {})));
}

TEST(OneHot, RefusesOperandsThatDoNotFit) {
  const Value indices = integers({1}, {0});
  EXPECT_THAT(refusal({"OneHot", {indices, integers({}, {-1}), off_and_on}}), HasSubstr("depth is -1"));
  EXPECT_THAT(refusal({"OneHot", {indices, integers({2}, {1, 1}), off_and_on}}), HasSubstr("expected one number"));
  EXPECT_THAT(refusal({"OneHot", {indices, integers({}, {2}), floats({1}, {1})}}), HasSubstr("expected two values"));
  EXPECT_THAT(refusal({"OneHot", {indices, booleans({}, {1}), off_and_on}}), HasSubstr("depth is tensor(bool)"));
  EXPECT_THAT(refusal({"OneHot", {booleans({1}, {1}), integers({}, {2}), off_and_on}}), HasSubstr("tensor(bool)"));
  EXPECT_THAT(refusal({"OneHot", {floats({1}, {1e30F}), integers({}, {2}), off_and_on}}), HasSubstr("too large"));
}

TEST(OneHotTypes, HaveTheDepthWhereItIsConstant) {
  const std::vector<Type> types{Type::tensor(ElementType::int64, static_shape({4, -1})),
                                Type::tensor(ElementType::int64, Shape{}),
                                Type::tensor(ElementType::float32, static_shape({2}))};
  EXPECT_EQ(inferred({"OneHot"}, types), float_type({4, -1, -1}));
  EXPECT_EQ(inferred({"OneHot", {}, at_axis(0)}, types, {{}, integers({}, {3}), {}}), float_type({3, 4, -1}));
}

}  // namespace
}  // namespace ifcert::kernels
