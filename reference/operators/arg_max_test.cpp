#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

TEST(ArgMax, IsTheFirstOfTheGreatestUnlessTheLastIsRequested) {
  const Value rows = floats({2, 3}, {2, 5, 5, 7, 1, 7});
  const std::int64_t one = 1;
  const std::int64_t zero = 0;
  EXPECT_THAT(evaluated({"ArgMax", {rows}, {{"axis", one}}}), IsValue(integers({2, 1}, {1, 0})));
  EXPECT_THAT(evaluated({"ArgMax", {rows}, {{"axis", one}, {"keepdims", zero}, {"select_last_index", one}}}),
              IsValue(integers({2}, {2, 2})));
  EXPECT_THAT(evaluated({"ArgMax", {rows}}), IsValue(integers({1, 3}, {1, 0, 1})));
  EXPECT_THAT(evaluated({"ArgMax", {rows}, {{"axis", std::int64_t{-1}}}}), IsValue(integers({2, 1}, {1, 0})));
  EXPECT_THAT(evaluated({"ArgMax", {rows}, {{"keepdims", zero}}}), IsValue(integers({3}, {1, 0, 1})));
}

TEST(ArgMax, OfNoElementsIsRefusedUnlessTheResultIsEmpty) {
  EXPECT_THAT(refusal({"ArgMax", {floats({0, 2}, {})}}), HasSubstr("axis 0 has no elements"));
  EXPECT_THAT(evaluated({"ArgMax", {floats({2, 0}, {})}}), IsValue(integers({1, 0}, {})));
  EXPECT_THAT(refusal({"ArgMax", {floats({2}, {1, 2})}, {{"axis", std::int64_t{1}}}}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(refusal({"ArgMax", {booleans({1}, {1})}}), HasSubstr("tensor(bool)"));
}

TEST(ArgMaxTypes, AreInt64WithoutTheAxis) {
  EXPECT_EQ(inferred({"ArgMax"}, {float_type({2, -1})}), Type::tensor(ElementType::int64, static_shape({1, -1})));
  EXPECT_EQ(inferred({"ArgMax", {}, {{"keepdims", std::int64_t{0}}}}, {float_type({2, -1})}),
            Type::tensor(ElementType::int64, static_shape({-1})));
}

}  // namespace
}  // namespace ifcert::kernels
