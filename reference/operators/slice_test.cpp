#include <gtest/gtest.h>

#include <ifcert/elements.hpp>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

Value five() {
  return integers({5}, {0, 1, 2, 3, 4});
}

// Of [0, 1, 2, 3, 4], the elements from start to before end.
Value sliced(std::int64_t start, std::int64_t end, std::int64_t step = 1) {
  return evaluated({"Slice", {five(), list({start}), list({end}), list({0}), list({step})}});
}

TEST(Slice, ComputesTheExamplesOfItsSpecification) {
  const Value data = integers({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(evaluated({"Slice", {data, list({1, 0}), list({2, 3}), list({0, 1}), list({1, 2})}}),
              IsValue(integers({1, 2}, {5, 7})));
  EXPECT_THAT(evaluated({"Slice", {data, list({0, 1}), list({-1, 1000})}}), IsValue(integers({1, 3}, {2, 3, 4})));
}

TEST(Slice, GoesForwards) {
  EXPECT_THAT(sliced(1, 3), IsValue(list({1, 2})));
  EXPECT_THAT(sliced(-2, highest), IsValue(list({3, 4})));
  EXPECT_THAT(sliced(-100, 2), IsValue(list({0, 1})));
  EXPECT_THAT(sliced(0, 5, 2), IsValue(list({0, 2, 4})));
  EXPECT_THAT(sliced(1, 5, 3), IsValue(list({1, 4})));
  EXPECT_THAT(sliced(1, 5, highest), IsValue(list({1})));
  EXPECT_THAT(sliced(3, 3), IsValue(list({})));
  EXPECT_THAT(sliced(4, 2), IsValue(list({})));
  EXPECT_THAT(sliced(highest, highest), IsValue(list({})));
}

TEST(Slice, GoesBackwards) {
  EXPECT_THAT(sliced(-1, lowest, -1), IsValue(list({4, 3, 2, 1, 0})));
  EXPECT_THAT(sliced(highest, lowest, -2), IsValue(list({4, 2, 0})));
  EXPECT_THAT(sliced(3, 0, -1), IsValue(list({3, 2, 1})));
  EXPECT_THAT(sliced(3, -5, -1), IsValue(list({3, 2, 1})));
  EXPECT_THAT(sliced(3, -6, -1), IsValue(list({3, 2, 1, 0})));
  EXPECT_THAT(sliced(2, lowest, lowest), IsValue(list({2})));
  EXPECT_THAT(sliced(lowest, lowest, -1), IsValue(list({0})));
  EXPECT_THAT(sliced(0, -1, -1), IsValue(list({})));
}

TEST(Slice, OfSeveralAxesPicksRowByRow) {
  std::vector<std::int64_t> elements(24);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::int64_t>(i);
  const Value block = integers({2, 3, 4}, elements);
  EXPECT_THAT(evaluated({"Slice", {block, list({2, 1}), list({lowest, 2}), list({1, 0}), list({-2, 1})}}),
              IsValue(integers({1, 2, 4}, {20, 21, 22, 23, 12, 13, 14, 15})));
  EXPECT_THAT(evaluated({"Slice", {block, list({1, -1}), list({3, 0}), list({-1, -2}), list({1, -1})}}),
              IsValue(integers({2, 2, 2}, {9, 10, 5, 6, 21, 22, 17, 18})));
  EXPECT_THAT(evaluated({"Slice", {block, list({}), list({})}}), IsValue(block));
}

TEST(Slice, AcceptsInt32AndOptionalOperandsLeftOut) {
  const auto list32 = [](std::int32_t x) { return tensor<std::int32_t>(ElementType::int32, {1}, {x}); };
  EXPECT_THAT(evaluated({"Slice", {five(), list32(1), list32(4), Value{}, list32(2)}}), IsValue(list({1, 3})));
}

TEST(Slice, HandlesStringsPackedTypesAndEmptyDims) {
  EXPECT_THAT(evaluated({"Slice", {make_strings({3}, {"a", "b", "c"}), list({2}), list({0}), list({0}), list({-1})}}),
              IsValue(make_strings({2}, {"c", "b"})));
  const Value packed = pack(ElementType::int2, {5}, std::vector<std::uint8_t>{0, 1, 2, 3, 1});
  EXPECT_THAT(evaluated({"Slice", {packed, list({1}), list({4})}}),
              IsValue(pack(ElementType::int2, {3}, std::vector<std::uint8_t>{1, 2, 3})));
  EXPECT_THAT(evaluated({"Slice", {floats({0, 2}, {}), list({-1}), list({lowest}), list({0}), list({-1})}}),
              IsValue(floats({0, 2}, {})));
}

TEST(Slice, BeforeVersion10TheListsAreAttributes) {
  const Attributes lists{{"starts", std::vector<std::int64_t>{1}}, {"ends", std::vector<std::int64_t>{-1}}};
  EXPECT_THAT(evaluated({"Slice", {five()}, lists, 9}), IsValue(list({1, 2, 3})));
  EXPECT_THAT(refusal({"Slice", {five()}, {}, 9}), HasSubstr("starts and ends"));
  EXPECT_EQ(inferred({"Slice", {}, lists, 1}, {float_type({5, -1})}), float_type({3, -1}));
}

TEST(Slice, RefusesOperandsThatDoNotFit) {
  EXPECT_THAT(refusal({"Slice", {five(), list({0}), list({1}), list({0}), list({0})}}),
              HasSubstr("step of axis 0 is 0"));
  EXPECT_THAT(refusal({"Slice", {five(), list({0, 0}), list({1, 1}), list({0, -1})}}), HasSubstr("twice"));
  EXPECT_THAT(refusal({"Slice", {five(), list({0}), list({1}), list({1})}}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(refusal({"Slice", {five(), list({0, 0}), list({1, 1})}}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(refusal({"Slice", {five(), list({0}), list({1, 2})}}), HasSubstr("1 starts, 2 ends"));
  EXPECT_THAT(refusal({"Slice", {five(), list({0})}}), HasSubstr("are required"));
  EXPECT_THAT(refusal({"Slice", {five(), integers({}, {0}), list({1})}}), HasSubstr("rank 0"));
}

TEST(Slice, OfATensorOfManyAxesNeedsNoDeepStack) {
  Dims many(100'000, 1);
  many.back() = 2;
  const Value value = floats(many, {1, 2});
  const Value result = evaluated({"Slice", {value, list({1}), list({2}), list({-1})}});
  EXPECT_EQ(result.tensor()->elements<float>()[0], 2);
}

TEST(SliceTypes, AreInferredOnlyWhereCertain) {
  const Type any_list = Type::tensor(ElementType::int64);
  const Call slice{"Slice"};
  EXPECT_EQ(inferred(slice, {float_type({5, 2}), any_list, any_list}, {{}, list({1}), list({3})}), float_type({2, 2}));
  EXPECT_EQ(inferred(slice, {float_type({5, -1}), any_list, any_list, any_list, any_list},
                     {{}, list({-1}), list({lowest}), list({1}), list({-1})}),
            float_type({5, -1}));
  EXPECT_EQ(inferred(slice, {float_type({5, 2}), any_list, any_list}), float_type({-1, -1}));
  EXPECT_EQ(inferred(slice, {float_type({5, 2}), any_list, any_list, any_list}, {{}, list({1}), list({3})}),
            float_type({-1, -1}));
  EXPECT_EQ(inferred(slice, {Type{}, any_list, any_list}), Type::tensor(ElementType::undefined));
  EXPECT_THROW(inferred(slice, {Type{}, float_type({1}), any_list}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
