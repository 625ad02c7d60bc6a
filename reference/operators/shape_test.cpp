#include <gtest/gtest.h>

#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

const Value& three_axes() {
  static const Value value = floats({2, 3, 4}, std::vector<float>(24));
  return value;
}

Attributes from(std::int64_t start) {
  return {{"start", start}};
}
Attributes between(std::int64_t start, std::int64_t end) {
  return {{"start", start}, {"end", end}};
}

TEST(Shape, ReturnsTheRequestedDims) {
  // The examples in the operator's text, and its sentence on clamping.
  EXPECT_THAT(evaluated({"Shape", {three_axes()}}), IsValue(list({2, 3, 4})));
  EXPECT_THAT(evaluated({"Shape", {three_axes()}, from(-1)}), IsValue(list({4})));
  EXPECT_THAT(evaluated({"Shape", {three_axes()}, {{"end", std::int64_t{-1}}}}), IsValue(list({2, 3})));
  EXPECT_THAT(evaluated({"Shape", {three_axes()}, between(1, 2)}), IsValue(list({3})));
  EXPECT_THAT(evaluated({"Shape", {three_axes()}, between(-9, 9)}), IsValue(list({2, 3, 4})));
  EXPECT_THAT(evaluated({"Shape", {three_axes()}, between(2, 1)}), IsValue(list({})));
  EXPECT_THAT(evaluated({"Shape", {three_axes()}, from(std::numeric_limits<std::int64_t>::min())}),
              IsValue(list({2, 3, 4})));
  EXPECT_THAT(evaluated({"Shape", {make_strings({}, {"a"})}}), IsValue(list({})));
}

TEST(Size, CountsTheElements) {
  EXPECT_THAT(evaluated({"Size", {three_axes()}}), IsValue(integers({}, {24})));
  EXPECT_THAT(evaluated({"Size", {floats({}, {1})}}), IsValue(integers({}, {1})));
  EXPECT_THAT(evaluated({"Size", {floats({3, 0}, {})}}), IsValue(integers({}, {0})));
}

TEST(ShapeTypes, AreListsAsLongAsTheRank) {
  const auto list_type = [](std::int64_t size) { return Type::tensor(ElementType::int64, static_shape({size})); };
  EXPECT_EQ(inferred({"Shape"}, {float_type({-1, 2, 3})}), list_type(3));
  EXPECT_EQ(inferred({"Shape", {}, between(1, -1)}, {float_type({-1, 2, 3})}), list_type(1));
  EXPECT_EQ(inferred({"Shape"}, {Type::tensor(ElementType::float32)}), list_type(-1));
  EXPECT_EQ(inferred({"Size"}, {Type{}}), Type::tensor(ElementType::int64, Shape{}));
  EXPECT_THROW(inferred({"Size"}, {Type::sequence_of(Type{})}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
