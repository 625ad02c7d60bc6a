#include <gtest/gtest.h>

#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

Value block() {
  return floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
}
const Attributes pruned{{"keepdims", std::int64_t{0}}};
const Attributes noop{{"noop_with_empty_axes", std::int64_t{1}}};

TEST(ReduceSum, AddsAlongTheRequestedAxes) {
  EXPECT_THAT(evaluated({"ReduceSum", {block(), list({0})}}), IsValue(floats({1, 2, 2}, {6, 8, 10, 12})));
  EXPECT_THAT(evaluated({"ReduceSum", {block(), list({1})}, pruned}), IsValue(floats({2, 2}, {4, 6, 12, 14})));
  EXPECT_THAT(evaluated({"ReduceSum", {block(), list({-1, 0})}, pruned}), IsValue(floats({2}, {14, 22})));
  EXPECT_THAT(evaluated({"ReduceSum", {block()}, {{"axes", std::vector<std::int64_t>{2}}}, 11}),
              IsValue(floats({2, 2, 1}, {3, 7, 11, 15})));
}

TEST(ReduceSum, WithoutAxesAddsEverythingOrNothing) {
  EXPECT_THAT(evaluated({"ReduceSum", {block()}}), IsValue(floats({1, 1, 1}, {36})));
  EXPECT_THAT(evaluated({"ReduceSum", {block(), list({})}, pruned}), IsValue(floats({}, {36})));
  EXPECT_THAT(evaluated({"ReduceSum", {block(), Value{}}, noop}), IsValue(block()));
  EXPECT_THAT(evaluated({"ReduceSum", {block(), list({})}, noop}), IsValue(block()));
  EXPECT_THAT(evaluated({"ReduceSum", {block()}, pruned, 1}), IsValue(floats({}, {36})));
  EXPECT_THAT(evaluated({"ReduceSum", {floats({}, {5})}}), IsValue(floats({}, {5})));
}

// The translations depend on it: IR's ReduceSum without axes, and TensorFlow Lite's SUM of a scalar.
TEST(ReduceSum, OfAScalarIsThatScalarBitForBit) {
  const Value zero = floats({}, {-0.0F});
  const Value payload = tensor<std::uint32_t>(ElementType::float32, {}, {0x7f812345});
  for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"}) {
    EXPECT_THAT(evaluated({op, {zero}, {}, 18}), IsValue(zero)) << op;
    EXPECT_THAT(evaluated({op, {payload}, {}, 18}), IsValue(payload)) << op;
    EXPECT_THAT(evaluated({op, {zero}, pruned, 11}), IsValue(zero)) << op;
  }
  EXPECT_THAT(refusal({"ReduceSum", {booleans({}, {1})}}), HasSubstr("tensor(bool)"));
}

TEST(ReduceSum, OfNoElementsIsZero) {
  EXPECT_THAT(evaluated({"ReduceSum", {floats({2, 0}, {}), list({1})}}), IsValue(floats({2, 1}, {0, 0})));
  EXPECT_THAT(evaluated({"ReduceSum", {floats({2, 0}, {}), list({0})}}), IsValue(floats({1, 0}, {})));
  EXPECT_THAT(refusal({"ReduceSum", {floats({std::int64_t{1} << 62, 0}, {}), list({1})}}), HasSubstr("4 GiB"));
}

TEST(ReduceSum, OfIntegersWrapsAndOfHalvesIsRoundedOnce) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(evaluated({"ReduceSum", {integers({2}, {most, 1})}, pruned}),
              IsValue(integers({}, {std::numeric_limits<std::int64_t>::min()})));
  // 2048 + 1 + 1 in float16: 2050, where adding one by one would stay at 2048.
  EXPECT_THAT(
      evaluated({"ReduceSum", {tensor<std::uint16_t>(ElementType::float16, {3}, {0x6800, 0x3c00, 0x3c00})}, pruned}),
      IsValue(tensor<std::uint16_t>(ElementType::float16, {}, {0x6801})));
}

TEST(ReduceSum, RefusesOperandsThatDoNotFit) {
  EXPECT_THAT(refusal({"ReduceSum", {block(), list({3})}}), HasSubstr("axis 3 is outside [-3, 2]"));
  EXPECT_THAT(refusal({"ReduceSum", {booleans({}, {1})}}), HasSubstr("tensor(bool)"));
  EXPECT_THAT(refusal({"ReduceSum", {block(), list({0})}, {{"keepdims", 1.0F}}}), HasSubstr("attribute keepdims"));
}

TEST(ReduceSumTypes, AreInferredOnlyWhereCertain) {
  const Type any_floats = Type::tensor(ElementType::float32);
  const Type axes = Type::tensor(ElementType::int64);
  EXPECT_EQ(inferred({"ReduceSum"}, {float_type({2, -1}), axes}, {{}, list({0})}), float_type({1, -1}));
  EXPECT_EQ(inferred({"ReduceSum", {}, pruned}, {float_type({2, -1}), axes}, {{}, list({0})}), float_type({-1}));
  EXPECT_EQ(inferred({"ReduceSum"}, {float_type({2, 3}), axes}), float_type({-1, -1}));
  EXPECT_EQ(inferred({"ReduceSum", {}, pruned}, {float_type({2, 3}), axes}), any_floats);
  EXPECT_EQ(inferred({"ReduceSum"}, {float_type({2, 3})}), float_type({1, 1}));
  EXPECT_EQ(inferred({"ReduceSum", {}, noop}, {float_type({2, 3})}), float_type({2, 3}));
  EXPECT_EQ(inferred({"ReduceSum", {}, noop}, {float_type({2, 3}), axes}), any_floats);
  EXPECT_EQ(inferred({"ReduceSum", {}, pruned, 11}, {float_type({2, 3})}), float_type({}));
  EXPECT_THROW(inferred({"ReduceSum"}, {Type::tensor(ElementType::string)}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
