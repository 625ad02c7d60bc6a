#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

TEST(Softmax, GoesAlongOneAxis) {
  const float e = std::exp(1.0F);
  const Value result = evaluated({"Softmax", {floats({2, 2}, {0, 0, 1, 1})}});
  EXPECT_THAT(result, IsValue(floats({2, 2}, {0.5, 0.5, 0.5, 0.5})));
  const Value columns = evaluated({"Softmax", {floats({2, 1}, {0, 1})}, {{"axis", std::int64_t{0}}}});
  EXPECT_FLOAT_EQ(columns.tensor()->elements<float>()[1], e / (1 + e));
}

TEST(Softmax, BeforeVersion13NormalizesAllAxesFromOneOn) {
  EXPECT_THAT(evaluated({"Softmax", {floats({1, 2, 2}, {3, 3, 3, 3})}, {}, 11}),
              IsValue(floats({1, 2, 2}, {0.25, 0.25, 0.25, 0.25})));
}

TEST(Softmax, BeforeVersion11TheAxisMayBeTheRank) {
  const Value list = floats({3}, {1, 2, 3});
  EXPECT_THAT(evaluated({"Softmax", {list}, {}, 10}), IsValue(floats({3}, {1, 1, 1})));
  EXPECT_EQ(inferred({"Softmax", {list}, {}, 10}, {type_of(list)}), type_of(list));
  EXPECT_THAT(refusal({"Softmax", {list}, {}, 11}), HasSubstr("axis 1 is outside"));
}

TEST(Softmax, DoesNotOverflow) {
  EXPECT_THAT(evaluated({"Softmax", {floats({3}, {1e30F, 1e30F, -1e30F})}}), IsValue(floats({3}, {0.5, 0.5, 0})));
  EXPECT_THAT(evaluated({"Softmax", {floats({0}, {})}}), IsValue(floats({0}, {})));
}

TEST(Softmax, RefusesOperandsThatDoNotFit) {
  EXPECT_THAT(refusal({"Softmax", {floats({1}, {1})}, {{"axis", std::int64_t{1}}}}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(refusal({"Softmax", {integers({1}, {1})}}), HasSubstr("tensor(int64)"));
}

}  // namespace
}  // namespace ifcert::kernels
