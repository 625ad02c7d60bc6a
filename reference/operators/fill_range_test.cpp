#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

TEST(ConstantOfShape, RepeatsItsElement) {
  EXPECT_THAT(evaluated({"ConstantOfShape", {list({2, 1})}}), IsValue(floats({2, 1}, {0, 0})));
  EXPECT_THAT(evaluated({"ConstantOfShape", {list({})}, {{"value", list({5})}}}), IsValue(integers({}, {5})));
  EXPECT_THAT(evaluated({"ConstantOfShape", {list({0})}, {{"value", list({5})}}}), IsValue(list({})));
  EXPECT_THAT(evaluated({"ConstantOfShape", {list({3})}, {{"value", booleans({1}, {1})}}}),
              IsValue(booleans({3}, {1, 1, 1})));
}

TEST(ConstantOfShape, RefusesAnInvalidShape) {
  EXPECT_THAT(refusal({"ConstantOfShape", {list({-1})}}), HasSubstr("negative dim"));
  EXPECT_THAT(refusal({"ConstantOfShape", {list({1 << 30, 1 << 30})}}), HasSubstr("more than 4 GiB"));
  EXPECT_THAT(refusal({"ConstantOfShape", {list({1})}, {{"value", list({1, 2})}}}), HasSubstr("one element"));
}

TEST(Range, ComputesTheExamplesOfItsSpecification) {
  const auto scalar = [](std::int64_t x) { return integers({}, {x}); };
  EXPECT_THAT(evaluated({"Range", {scalar(3), scalar(9), scalar(3)}}), IsValue(list({3, 6})));
  EXPECT_THAT(evaluated({"Range", {scalar(10), scalar(4), scalar(-2)}}), IsValue(list({10, 8, 6})));
  EXPECT_THAT(evaluated({"Range", {scalar(4), scalar(10), scalar(-2)}}), IsValue(list({})));
  EXPECT_THAT(evaluated({"Range", {floats({}, {0}), floats({}, {1}), floats({}, {0.4F})}}),
              IsValue(floats({3}, {0, 0.4F, 0.8F})));
}

TEST(Range, OfHalvesIsComputedAsFloat32) {
  const auto half = [](std::uint16_t bits) { return tensor<std::uint16_t>(ElementType::float16, {}, {bits}); };
  // 2048, 2051, 2054: 2051 lies between the halves 2050 and 2052, and is rounded only when it is stored.
  const Call range{"Range", {half(0x6800), half(0x6804), half(0x4200)}, {}, 27};
  EXPECT_THAT(evaluated(range), IsValue(tensor<std::uint16_t>(ElementType::float16, {3}, {0x6800, 0x6802, 0x6803})));
  EXPECT_THAT(refusal({"Range", range.inputs, {}, 11}), HasSubstr("tensor(float16)"));
  EXPECT_THAT(refusal({"Range", range.inputs, {{"stash_type", std::int64_t{10}}}, 27}), HasSubstr("stash_type is 10"));
}

TEST(Range, RefusesRangesWithoutEndOrTooLong) {
  const auto scalar = [](std::int64_t x) { return integers({}, {x}); };
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(refusal({"Range", {scalar(0), scalar(1), scalar(0)}}), "Range: delta is 0");
  EXPECT_THAT(refusal({"Range", {scalar(least), scalar(most), scalar(1)}}), HasSubstr("more than 4 GiB"));
  EXPECT_THAT(evaluated({"Range", {scalar(least), scalar(most), scalar(most)}}), IsValue(list({least, -1, most - 1})));
  EXPECT_THAT(refusal({"Range", {floats({}, {0}), floats({}, {HUGE_VALF}), floats({}, {1})}}), HasSubstr("4 GiB"));
  EXPECT_THAT(refusal({"Range", {floats({}, {HUGE_VALF}), floats({}, {HUGE_VALF}), floats({}, {1})}}),
              HasSubstr("no number of steps"));
  EXPECT_THAT(refusal({"Range", {list({0, 1}), scalar(1), scalar(1)}}), HasSubstr("operand 0 is not a scalar"));
}

TEST(GenerationTypes, AreInferredOnlyWhereCertain) {
  const Type of_two = Type::tensor(ElementType::int64, static_shape({2}));
  EXPECT_EQ(inferred({"ConstantOfShape"}, {of_two}), float_type({-1, -1}));
  EXPECT_EQ(inferred({"ConstantOfShape"}, {of_two}, {list({3, 4})}), float_type({3, 4}));
  EXPECT_EQ(inferred({"Range"}, {of_two, of_two, of_two}), Type::tensor(ElementType::int64, static_shape({-1})));
}

}  // namespace
}  // namespace ifcert::kernels
