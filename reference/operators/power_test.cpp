#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

Value int32s(Dims dims, const std::vector<std::int32_t>& elements) {
  return tensor<std::int32_t>(ElementType::int32, std::move(dims), elements);
}

TEST(Pow, OfFloats) {
  EXPECT_THAT(evaluated({"Pow", {floats({3}, {1, 2, 3}), floats({3}, {4, 5, 6})}}), IsValue(floats({3}, {1, 32, 729})));
  EXPECT_THAT(evaluated({"Pow", {floats({3}, {4, 9, -3}), floats({}, {2})}}), IsValue(floats({3}, {16, 81, 9})));
  EXPECT_THAT(evaluated({"Pow", {floats({}, {4}), floats({2}, {0.5, -1})}}), IsValue(floats({2}, {2, 0.25})));
  EXPECT_TRUE(std::isnan(evaluated({"Pow", {floats({}, {-1}), floats({}, {0.5})}}).tensor()->elements<float>()[0]));
}

TEST(Pow, HasTheTypeOfItsBase) {
  EXPECT_THAT(evaluated({"Pow", {floats({2}, {2, 3}), integers({2}, {3, 2})}}), IsValue(floats({2}, {8, 9})));
  EXPECT_THAT(evaluated({"Pow", {int32s({2}, {9, 2}), floats({2}, {0.5, 1.5})}}), IsValue(int32s({2}, {3, 2})));
  EXPECT_THAT(refusal({"Pow", {floats({}, {2}), integers({}, {2})}, {}, 11}), HasSubstr("operand 1 is tensor(int64)"));
}

TEST(Pow, OfIntegersIsExactAndWraps) {
  EXPECT_THAT(evaluated({"Pow", {integers({3}, {3, -3, 0}), integers({3}, {39, 3, 0})}}),
              IsValue(integers({3}, {4052555153018976267, -27, 1})));
  EXPECT_THAT(evaluated({"Pow", {int32s({2}, {2, 2}), int32s({2}, {31, 32})}}),
              IsValue(int32s({2}, {std::numeric_limits<std::int32_t>::min(), 0})));
  EXPECT_THAT(evaluated({"Pow", {integers({4}, {1, -1, -1, 7}), integers({4}, {-5, -5, -4, -1})}}),
              IsValue(integers({4}, {1, -1, 1, 0})));
  EXPECT_THAT(refusal({"Pow", {integers({}, {0}), integers({}, {-1})}}), HasSubstr("negative power"));
}

TEST(Pow, OutOfAnIntegersRangeIsTheNearestInteger) {
  EXPECT_THAT(
      evaluated({"Pow", {int32s({3}, {10, -10, -1}), floats({3}, {99, 99, 0.5})}}),
      IsValue(int32s({3}, {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(), 0})));
}

TEST(Pow, BeforeVersion7BroadcastsOnlyOnRequest) {
  EXPECT_NE(refusal({"Pow", {floats({2}, {1, 2}), floats({}, {2})}, {}, 1}), "");
  EXPECT_THAT(evaluated({"Pow", {floats({2}, {1, 2}), floats({}, {2})}, {{"broadcast", std::int64_t{1}}}, 1}),
              IsValue(floats({2}, {1, 4})));
}

TEST(Pow, RefusesTypesThatItsSpecificationDoesNotList) {
  EXPECT_THAT(refusal({"Pow", {tensor<std::int8_t>(ElementType::int8, {}, {1}), floats({}, {1})}}), HasSubstr("int8"));
  EXPECT_THAT(refusal({"Pow", {floats({}, {1}), booleans({}, {1})}}), HasSubstr("tensor(bool)"));
  EXPECT_EQ(inferred({"Pow"}, {float_type({2, 1}), Type::tensor(ElementType::int32, static_shape({3}))}),
            float_type({2, 3}));
  EXPECT_THROW(inferred({"Pow"}, {float_type({}), Type::tensor(ElementType::boolean)}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
