#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

TEST(Functions, ComputeTheirDefinitions) {
  EXPECT_THAT(evaluated({"Sqrt", {floats({3}, {4, 0.25, 0})}}), IsValue(floats({3}, {2, 0.5, 0})));
  EXPECT_THAT(evaluated({"Exp", {floats({3}, {0, 1, -HUGE_VALF})}}), IsValue(floats({3}, {1, 2.7182817F, 0})));
  EXPECT_THAT(evaluated({"Sigmoid", {floats({3}, {0, 100, -HUGE_VALF})}}), IsValue(floats({3}, {0.5, 1, 0})));
  EXPECT_THAT(evaluated({"Tanh", {floats({3}, {0, 100, -HUGE_VALF})}}), IsValue(floats({3}, {0, 1, -1})));
  EXPECT_THAT(evaluated({"Reciprocal", {floats({3}, {4, -0.5, 0})}}), IsValue(floats({3}, {0.25, -2, HUGE_VALF})));
  EXPECT_THAT(evaluated({"Ceil", {floats({4}, {1.5, -1.5, 2, -0.5})}}), IsValue(floats({4}, {2, -1, 2, -0.0F})));
  EXPECT_THAT(evaluated({"Relu", {floats({4}, {-1, 2, 0, -HUGE_VALF})}}), IsValue(floats({4}, {0, 2, 0, 0})));
  EXPECT_THAT(evaluated({"Relu", {integers({2}, {-7, 7})}, {}, 14}), IsValue(integers({2}, {0, 7})));
}

TEST(Functions, RoundOnceAndAcceptEveryFloatType) {
  const auto half = [](std::uint16_t bits) { return tensor<std::uint16_t>(ElementType::float16, {}, {bits}); };
  EXPECT_THAT(evaluated({"Sqrt", {half(0x4400)}}), IsValue(half(0x4000)));  // 4 → 2
  EXPECT_THAT(evaluated({"Exp", {half(0x3c00)}}), IsValue(half(0x4170)));  // e = 2.71828…, between 2.71875 and 2.7168
  EXPECT_THAT(evaluated({"Sqrt", {tensor<double>(ElementType::float64, {}, {2})}}),
              IsValue(tensor<double>(ElementType::float64, {}, {1.4142135623730951})));
}

TEST(Functions, KeepANaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const char* op : {"Sqrt", "Exp", "Sigmoid", "Tanh", "Relu"}) {
    EXPECT_TRUE(std::isnan(evaluated({op, {floats({}, {nan})}}).tensor()->elements<float>()[0])) << op;
  }
  EXPECT_TRUE(std::isnan(evaluated({"Sqrt", {floats({}, {-1})}}).tensor()->elements<float>()[0]));
}

TEST(Functions, RefuseOtherTypes) {
  EXPECT_EQ(refusal({"Exp", {integers({}, {1})}}), "Exp: operands are tensor(int64), which it does not accept");
  EXPECT_THAT(refusal({"Relu", {tensor<std::uint8_t>(ElementType::uint8, {}, {1})}}), HasSubstr("tensor(uint8)"));
  EXPECT_THROW(inferred({"Tanh"}, {Type::tensor(ElementType::int32)}), EvaluationError);
  EXPECT_EQ(inferred({"Tanh"}, {float_type({2, -1})}), float_type({2, -1}));
  EXPECT_EQ(inferred({"Relu"}, {Type::tensor(ElementType::int32)}), Type::tensor(ElementType::int32));
}

}  // namespace
}  // namespace ifcert::kernels
