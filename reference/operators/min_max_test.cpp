#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

TEST(Extremes, AreTakenElementByElementOfAnyNumberOfOperands) {
  const Value a = floats({3}, {1, 5, -3});
  const Value b = floats({3}, {2, 4, -HUGE_VALF});
  const Value c = floats({3}, {0, 9, 7});
  EXPECT_THAT(evaluated({"Max", {a}}), IsValue(a));
  EXPECT_THAT(evaluated({"Max", {a, b}}), IsValue(floats({3}, {2, 5, -3})));
  EXPECT_THAT(evaluated({"Max", {a, b, c}}), IsValue(floats({3}, {2, 9, 7})));
  EXPECT_THAT(evaluated({"Min", {a, b, c}}), IsValue(floats({3}, {0, 4, -HUGE_VALF})));
  EXPECT_THAT(evaluated({"Min", {integers({2}, {1, -9}), integers({2}, {0, 3})}}), IsValue(integers({2}, {0, -9})));
}

TEST(Extremes, Broadcast) {
  const Value column = floats({2, 1}, {1, 4});
  EXPECT_THAT(evaluated({"Max", {floats({}, {2}), column, floats({3}, {0, 3, 5})}}),
              IsValue(floats({2, 3}, {2, 3, 5, 4, 4, 5})));
  EXPECT_THAT(refusal({"Min", {floats({2}, {1, 2}), floats({3}, {1, 2, 3})}}), HasSubstr("do not broadcast"));
}

TEST(Extremes, OfANaNAreNaN) {
  const Value number = floats({1}, {1});
  const Value nan = floats({1}, {std::numeric_limits<float>::quiet_NaN()});
  for (const char* op : {"Max", "Min"}) {
    EXPECT_TRUE(std::isnan(evaluated({op, {number, nan}}).tensor()->elements<float>()[0])) << op;
    EXPECT_TRUE(std::isnan(evaluated({op, {nan, number}}).tensor()->elements<float>()[0])) << op;
  }
}

TEST(Extremes, RefuseOtherTypes) {
  EXPECT_THAT(refusal({"Max", {booleans({1}, {1})}}), HasSubstr("tensor(bool)"));
  EXPECT_THAT(refusal({"Max", {floats({1}, {1}), integers({1}, {1})}}), HasSubstr("int64"));
  EXPECT_THAT(refusal({"Max", {}}), HasSubstr("operand 0"));
}

TEST(ExtremeTypes, BroadcastAsFarAsTheyAreKnown) {
  EXPECT_EQ(inferred({"Max"}, {float_type({2, 1}), float_type({3})}), float_type({2, 3}));
  EXPECT_EQ(inferred({"Max"}, {float_type({2, 1}), Type::tensor(ElementType::float32)}),
            Type::tensor(ElementType::float32));
  EXPECT_EQ(inferred({"Min"}, {float_type({-1})}), float_type({-1}));
  EXPECT_THROW(inferred({"Min"}, {float_type({1}), Type::tensor(ElementType::int64)}), EvaluationError);
  EXPECT_THROW(inferred({"Min"}, {Type::tensor(ElementType::string)}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
