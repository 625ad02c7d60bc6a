#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Integers = std::vector<std::int64_t>;

Value rows() {
  return floats({3, 2}, {1.0, 1.2F, 2.3F, 3.4F, 4.5, 5.7F});
}

Value padded(const char* mode, const Value& value, const Integers& pads) {
  return evaluated({"Pad", {value, list(pads)}, {{"mode", std::string(mode)}}});
}

TEST(Pad, ComputesTheExamplesOfItsSpecification) {
  EXPECT_THAT(padded("constant", rows(), {0, 2, 0, 0}),
              IsValue(floats({3, 4}, {0, 0, 1.0, 1.2F, 0, 0, 2.3F, 3.4F, 0, 0, 4.5, 5.7F})));
  EXPECT_THAT(padded("reflect", rows(), {0, 2, 0, 0}),
              IsValue(floats({3, 4}, {1.0, 1.2F, 1.0, 1.2F, 2.3F, 3.4F, 2.3F, 3.4F, 4.5, 5.7F, 4.5, 5.7F})));
  EXPECT_THAT(padded("edge", rows(), {0, 2, 0, 0}),
              IsValue(floats({3, 4}, {1.0, 1.0, 1.0, 1.2F, 2.3F, 2.3F, 2.3F, 3.4F, 4.5, 4.5, 4.5, 5.7F})));
  EXPECT_THAT(padded("wrap", rows(), {2, 1, 1, 1}),
              IsValue(floats({6, 4}, {3.4F, 2.3F, 3.4F, 2.3F, 5.7F, 4.5, 5.7F, 4.5, 1.2F, 1.0, 1.2F, 1.0,
                                      3.4F, 2.3F, 3.4F, 2.3F, 5.7F, 4.5, 5.7F, 4.5, 1.2F, 1.0, 1.2F, 1.0})));
}

TEST(Pad, ReflectsThereAndBackWithoutTheEndsTwice) {
  const Value three = list({1, 2, 3});
  EXPECT_THAT(padded("reflect", three, {5, 4}), IsValue(list({2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3})));
  EXPECT_THAT(padded("reflect", list({7}), {2, 1}), IsValue(list({7, 7, 7, 7})));
}

TEST(Pad, RemovesWherePadsAreNegative) {
  const Value five = list({1, 2, 3, 4, 5});
  EXPECT_THAT(padded("constant", five, {-2, 1}), IsValue(list({3, 4, 5, 0})));
  EXPECT_THAT(padded("edge", five, {-1, -1}), IsValue(list({2, 3, 4})));
  EXPECT_THAT(padded("constant", five, {-5, 0}), IsValue(list({})));
  EXPECT_THAT(refusal({"Pad", {five, list({-6, 3})}}), HasSubstr("cannot be padded by -6 and 3"));
}

TEST(Pad, AcceptsAValueAndAxes) {
  EXPECT_THAT(evaluated({"Pad", {floats({1, 1}, {1}), list({1, 1}), floats({}, {9}), list({-1})}}),
              IsValue(floats({1, 3}, {9, 1, 9})));
  EXPECT_THAT(evaluated({"Pad", {make_strings({1}, {"a"}), list({1, 0})}}), IsValue(make_strings({2}, {"", "a"})));
  EXPECT_THAT(evaluated({"Pad", {floats({0}, {}), list({1, 1}), floats({1}, {3})}}), IsValue(floats({2}, {3, 3})));
}

TEST(Pad, OfEarlierVersionsHasAttributes) {
  const Attributes pads{{"pads", Integers{1, 0}}, {"value", 2.5F}};
  EXPECT_THAT(evaluated({"Pad", {floats({1}, {1})}, pads, 2}), IsValue(floats({2}, {2.5, 1})));
  const Attributes paddings{{"paddings", Integers{0, 1}}};
  EXPECT_THAT(evaluated({"Pad", {floats({1}, {1})}, paddings, 1}), IsValue(floats({2}, {1, 0})));
  EXPECT_THAT(refusal({"Pad", {floats({1}, {1})}, {}, 2}), HasSubstr("attribute pads is missing"));
}

TEST(Pad, RefusesOperandsThatDoNotFit) {
  const Value one = floats({1}, {1});
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(refusal({"Pad", {one, list({1})}}), HasSubstr("1 pads are given for 1 axes"));
  EXPECT_THAT(refusal({"Pad", {one, list({most, most})}}), HasSubstr("cannot be padded"));
  EXPECT_THAT(refusal({"Pad", {one, list({most / 2, 0})}}), HasSubstr("more than 4 GiB"));
  EXPECT_NE(refusal({"Pad", {one, list({std::numeric_limits<std::int64_t>::min(), 0})}}), "");
  EXPECT_THAT(refusal({"Pad", {one, list({0, 0}), {}, list({1})}}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(refusal({"Pad", {one, list({0, 0, 0, 0}), {}, list({0, 0})}}), HasSubstr("twice"));
  EXPECT_THAT(refusal({"Pad", {one, list({1, 1})}, {{"mode", std::string("wrap")}}, 18}), HasSubstr("\"wrap\""));
  EXPECT_THAT(refusal({"Pad", {floats({0}, {}), list({1, 1})}, {{"mode", std::string("edge")}}}),
              HasSubstr("no elements to pad with"));
  EXPECT_THAT(refusal({"Pad", {one, list({1, 1}), floats({2}, {1, 2})}}), HasSubstr("not a scalar"));
}

TEST(PadTypes, AreKnownWhereThePadsAre) {
  const Type any_list = Type::tensor(ElementType::int64);
  EXPECT_EQ(inferred({"Pad"}, {float_type({3, -1}), any_list}, {{}, list({1, 0, 1, 0})}), float_type({5, -1}));
  EXPECT_EQ(inferred({"Pad"}, {float_type({3, 2}), any_list}), float_type({-1, -1}));
}

}  // namespace
}  // namespace ifcert::kernels
