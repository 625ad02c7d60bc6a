#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

TEST(MatMul, IsThatOfNumpy) {
  const Value a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Value b = floats({3, 2}, {1, 0, 0, 1, 2, 3});
  EXPECT_THAT(evaluated({"MatMul", {a, b}}), IsValue(floats({2, 2}, {7, 11, 16, 23})));
  EXPECT_THAT(evaluated({"MatMul", {floats({3}, {1, 2, 3}), b}}), IsValue(floats({2}, {7, 11})));
  EXPECT_THAT(evaluated({"MatMul", {a, floats({3}, {1, 1, 1})}}), IsValue(floats({2}, {6, 15})));
  EXPECT_THAT(evaluated({"MatMul", {floats({2}, {3, 4}), floats({2}, {3, 4})}}), IsValue(floats({}, {25})));
}

TEST(MatMul, BroadcastsOverTheLeadingAxes) {
  const Value a = floats({2, 1, 1, 2}, {1, 2, 3, 4});
  const Value b = floats({2, 2, 1}, {1, 0, 0, 1});
  EXPECT_THAT(evaluated({"MatMul", {a, b}}), IsValue(floats({2, 2, 1, 1}, {1, 2, 3, 4})));
  EXPECT_THAT(evaluated({"MatMul", {floats({2, 0}, {}), floats({0, 3}, {})}}),
              IsValue(floats({2, 3}, {0, 0, 0, 0, 0, 0})));
}

TEST(MatMul, OfIntegersIsExactAndWraps) {
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  EXPECT_THAT(evaluated({"MatMul", {integers({1, 2}, {big, 1}), integers({2, 1}, {1, 1})}}),
              IsValue(integers({1, 1}, {big + 1})));
  EXPECT_THAT(
      refusal({"MatMul",
               {tensor<std::int8_t>(ElementType::int8, {1}, {1}), tensor<std::int8_t>(ElementType::int8, {1}, {1})}}),
      HasSubstr("tensor(int8)"));
}

TEST(MatMul, OfFloatsIsRoundedOnce) {
  // In float32 arithmetic the 1 would be lost next to 2^25.
  const Value a = floats({1, 3}, {0x1p25F, 1, -0x1p25F});
  EXPECT_THAT(evaluated({"MatMul", {a, floats({3, 1}, {1, 1, 1})}}), IsValue(floats({1, 1}, {1})));
}

TEST(MatMul, RefusesOperandsWithoutAProduct) {
  EXPECT_EQ(refusal({"MatMul", {floats({1, 2}, {1, 2}), floats({1, 2}, {1, 2})}}),
            "MatMul: rows of 2 elements cannot be multiplied by columns of 1 elements");
  EXPECT_THAT(refusal({"MatMul", {floats({}, {1}), floats({1}, {1})}}), HasSubstr("rank 0"));
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_THAT(refusal({"MatMul", {floats({huge, 0}, {}), floats({0, huge}, {})}}), HasSubstr("more than 4 GiB"));
}

TEST(Gemm, MultipliesAddsAndTransposes) {
  const Value a = floats({2, 1}, {1, 2});
  const Value b = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  const Attributes both{{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"alpha", 2.0F}, {"beta", 10.0F}};
  // a' = [1 2], b' = [1 3 5; 2 4 6]: [5 11 17]·2 + 10·[1 1 1]
  EXPECT_THAT(evaluated({"Gemm",
                         {
                             a,
                             b,
                             floats({}, {1}),
                         },
                         both}),
              IsValue(floats({1, 3}, {20, 32, 44})));
  EXPECT_THAT(evaluated({"Gemm", {b, a}}), IsValue(floats({3, 1}, {5, 11, 17})));
  EXPECT_THAT(evaluated({"Gemm", {b, a, floats({3, 1}, {1, 2, 3})}}), IsValue(floats({3, 1}, {6, 13, 20})));
}

TEST(Gemm, BroadcastsItsAddendOneWay) {
  const Value one = floats({1, 1}, {1});
  EXPECT_THAT(refusal({"Gemm", {one, one, floats({2}, {1, 2})}}), HasSubstr("does not broadcast to [1, 1]"));
  EXPECT_NE(refusal({"Gemm", {floats({1, 1}, {1}), floats({1, 2}, {1, 2}), floats({2}, {1, 1})}, {}, 6}), "");
  EXPECT_THAT(
      evaluated({"Gemm", {one, floats({1, 2}, {1, 2}), floats({2}, {1, 1})}, {{"broadcast", std::int64_t{1}}}, 6}),
      IsValue(floats({1, 2}, {2, 3})));
}

TEST(Gemm, OfIntegersAcceptsIntegerFactorsOnly) {
  const Value two = integers({1, 1}, {2});
  EXPECT_THAT(evaluated({"Gemm", {two, two, two}, {{"alpha", 3.0F}, {"beta", -1.0F}}}),
              IsValue(integers({1, 1}, {10})));
  EXPECT_THAT(refusal({"Gemm", {two, two}, {{"alpha", 0.5F}}}), HasSubstr("alpha is 0.5"));
}

TEST(Gemm, RefusesOperandsThatAreNotMatrices) {
  EXPECT_THAT(refusal({"Gemm", {floats({1}, {1}), floats({1, 1}, {1})}}), HasSubstr("expected matrices"));
  EXPECT_THAT(refusal({"Gemm", {floats({1, 2}, {1, 2}), floats({1, 2}, {1, 2})}}), HasSubstr("cannot be multiplied"));
}

TEST(MatrixTypes, AreInferredAsFarAsDimsAreKnown) {
  EXPECT_EQ(inferred({"MatMul"}, {float_type({-1, 2, 3}), float_type({3, -1})}), float_type({-1, 2, -1}));
  EXPECT_EQ(inferred({"MatMul"}, {float_type({3}), float_type({3})}), float_type({}));
  EXPECT_EQ(inferred({"Gemm", {}, {{"transB", std::int64_t{1}}}}, {float_type({-1, 3}), float_type({4, 3})}),
            float_type({-1, 4}));
  EXPECT_THROW(inferred({"MatMul"}, {Type::tensor(ElementType::int8), Type{}}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
