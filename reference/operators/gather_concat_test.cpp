#include <gtest/gtest.h>

#include <ifcert/elements.hpp>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

Attributes axis(std::int64_t value) {
  return {{"axis", value}};
}

Value four_bit(Dims dims, const std::vector<std::uint8_t>& codes) {
  return pack(ElementType::uint4, std::move(dims), codes);
}

TEST(Concat, JoinsTensorsAlongTheAxis) {
  const Value a = floats({2, 1}, {1, 2});
  const Value b = floats({2, 2}, {3, 4, 5, 6});
  EXPECT_THAT(evaluated({"Concat", {a, b}, axis(1)}), IsValue(floats({2, 3}, {1, 3, 4, 2, 5, 6})));
  EXPECT_THAT(evaluated({"Concat", {a, b}, axis(-1)}), IsValue(floats({2, 3}, {1, 3, 4, 2, 5, 6})));
  EXPECT_THAT(evaluated({"Concat", {b, b}, axis(0)}), IsValue(floats({4, 2}, {3, 4, 5, 6, 3, 4, 5, 6})));
  EXPECT_THAT(evaluated({"Concat", {a}, axis(0)}), IsValue(a));
  EXPECT_THAT(evaluated({"Concat", {floats({2, 0}, {}), a}, axis(1)}), IsValue(a));
  EXPECT_THAT(evaluated({"Concat", {a, b}, {}, 3}), IsValue(floats({2, 3}, {1, 3, 4, 2, 5, 6}))) << "axis 1 by default";
}

TEST(Concat, HandlesStringsAndPackedTypes) {
  EXPECT_THAT(evaluated({"Concat", {make_strings({1}, {"a"}), make_strings({2}, {"", "c"})}, axis(0)}),
              IsValue(make_strings({3}, {"a", "", "c"})));
  EXPECT_THAT(evaluated({"Concat", {four_bit({3}, {1, 2, 3}), four_bit({2}, {4, 5})}, axis(0)}),
              IsValue(four_bit({5}, {1, 2, 3, 4, 5})));
}

TEST(Concat, RefusesOperandsThatDoNotFit) {
  const Value a = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(refusal({"Concat", {a, floats({3, 2}, std::vector<float>(6))}, axis(1)}),
              HasSubstr("differ in more than axis 1"));
  EXPECT_THAT(refusal({"Concat", {a, floats({2}, {1, 2})}, axis(0)}), HasSubstr("differ"));
  EXPECT_THAT(refusal({"Concat", {a, integers({2, 2}, {1, 2, 3, 4})}, axis(0)}),
              HasSubstr("operand 1 is tensor(int64)"));
  EXPECT_THAT(refusal({"Concat", {a}, axis(2)}), HasSubstr("axis 2 is outside"));
  EXPECT_THAT(refusal({"Concat", {floats({}, {1})}, axis(0)}), HasSubstr("axis 0 is outside"));
  EXPECT_THAT(refusal({"Concat", {a}}), HasSubstr("axis is missing"));
  EXPECT_THAT(refusal({"Concat", {}, axis(0)}), HasSubstr("operand 0 is left out"));
}

TEST(Concat, RefusesASumOfDimsThatOverflows) {
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const Value wide = floats({0, huge}, {});
  EXPECT_NE(refusal({"Concat", {wide, wide}, axis(1)}), "");
}

TEST(Gather, PicksAlongTheAxis) {
  const Value data = floats({3, 2}, {1.0F, 1.2F, 2.3F, 3.4F, 4.5F, 5.7F});
  EXPECT_THAT(evaluated({"Gather", {data, integers({2, 2}, {0, 1, 1, 2})}}),
              IsValue(floats({2, 2, 2}, {1.0F, 1.2F, 2.3F, 3.4F, 2.3F, 3.4F, 4.5F, 5.7F})));
  const Value square = floats({3, 3}, {1.0F, 1.2F, 1.9F, 2.3F, 3.4F, 3.9F, 4.5F, 5.7F, 5.9F});
  EXPECT_THAT(evaluated({"Gather", {square, integers({1, 2}, {0, 2})}, axis(1)}),
              IsValue(floats({3, 1, 2}, {1.0F, 1.9F, 2.3F, 3.9F, 4.5F, 5.9F})));
  EXPECT_THAT(evaluated({"Gather", {data, integers({}, {-1})}}), IsValue(floats({2}, {4.5F, 5.7F})));
  EXPECT_THAT(evaluated({"Gather", {data, tensor<std::int32_t>(ElementType::int32, {1}, {-3})}, axis(-2)}),
              IsValue(floats({1, 2}, {1.0F, 1.2F})));
  EXPECT_THAT(evaluated({"Gather", {data, list({})}}), IsValue(floats({0, 2}, {})));
}

TEST(Gather, HandlesStringsAndPackedTypes) {
  EXPECT_THAT(evaluated({"Gather", {make_strings({2}, {"a", "b"}), list({1, 1, 0})}}),
              IsValue(make_strings({3}, {"b", "b", "a"})));
  EXPECT_THAT(evaluated({"Gather", {four_bit({3}, {7, 8, 9}), list({2, 0})}}), IsValue(four_bit({2}, {9, 7})));
}

TEST(Gather, RefusesAnIndexOutOfRange) {
  const Value data = floats({3}, {1, 2, 3});
  EXPECT_EQ(refusal({"Gather", {data, list({3})}}), "Gather: index 3 is outside [-3, 2]");
  EXPECT_EQ(refusal({"Gather", {data, list({-4})}}), "Gather: index -4 is outside [-3, 2]");
  EXPECT_NE(refusal({"Gather", {floats({0}, {}), list({0})}}), "");
  EXPECT_NE(refusal({"Gather", {floats({2, 0}, {}), list({2})}}), "") << "though the result would be empty";
  EXPECT_THAT(refusal({"Gather", {floats({}, {1}), list({0})}}), HasSubstr("axis 0 is outside"));
  EXPECT_THAT(refusal({"Gather", {data, floats({1}, {0})}}), HasSubstr("operand 1 is tensor(float32)"));
}

TEST(Gather, AnEmptyResultIsMadeAtOnceWhateverTheOtherDims) {
  const Value wide = floats({std::int64_t{1} << 62, 0}, {});
  EXPECT_EQ(evaluated({"Gather", {wide, list({})}, axis(1)}).tensor()->dims, Dims({std::int64_t{1} << 62, 0}));
}

TEST(GatherElements, PicksOneElementForEachIndex) {
  const Value pairs = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(evaluated({"GatherElements", {pairs, integers({2, 2}, {0, 0, 1, 0})}, axis(1)}),
              IsValue(floats({2, 2}, {1, 1, 4, 3})));
  const Value square = floats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(evaluated({"GatherElements", {square, integers({2, 3}, {1, 2, 0, 2, 0, 0})}, axis(0)}),
              IsValue(floats({2, 3}, {4, 8, 3, 7, 2, 3})));
  EXPECT_THAT(evaluated({"GatherElements", {square, integers({1, 2}, {-1, -3})}}), IsValue(floats({1, 2}, {7, 2})));
  EXPECT_THAT(evaluated({"GatherElements", {square, integers({0, 3}, {})}}), IsValue(floats({0, 3}, {})));
}

TEST(GatherElements, RefusesIndicesThatDoNotFit) {
  const Value pairs = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(refusal({"GatherElements", {pairs, integers({2, 3}, {0, 0, 0, 0, 0, 0})}}),
              HasSubstr("shape [2, 3] do not fit data of shape [2, 2]"));
  EXPECT_THAT(refusal({"GatherElements", {pairs, list({0})}}), HasSubstr("do not fit"));
  EXPECT_THAT(refusal({"GatherElements", {pairs, integers({1, 1}, {2})}}), HasSubstr("index 2 is outside [-2, 1]"));
}

TEST(Where, ChoosesElementByElement) {
  const Value condition = booleans({2, 2}, {1, 0, 1, 1});
  EXPECT_THAT(evaluated({"Where", {condition, floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {9, 8, 7, 6})}}),
              IsValue(floats({2, 2}, {1, 8, 3, 4})));
  EXPECT_THAT(evaluated({"Where", {booleans({2, 1}, {1, 0}), integers({2}, {1, 2}), integers({}, {0})}}),
              IsValue(integers({2, 2}, {1, 2, 0, 0})));
  EXPECT_THAT(evaluated({"Where", {booleans({2}, {0, 1}), make_strings({}, {"x"}), make_strings({2}, {"a", "b"})}}),
              IsValue(make_strings({2}, {"a", "x"})));
  EXPECT_THAT(evaluated({"Where", {booleans({3}, {0, 1, 0}), four_bit({3}, {1, 2, 3}), four_bit({3}, {4, 5, 6})}}),
              IsValue(four_bit({3}, {4, 2, 6})));
}

TEST(Where, RefusesOperandsThatDoNotFit) {
  const Value one = floats({}, {1});
  EXPECT_THAT(refusal({"Where", {one, one, one}}), HasSubstr("operand 0 is tensor(float32); expected tensor(bool)"));
  EXPECT_THAT(refusal({"Where", {booleans({}, {1}), one, integers({}, {1})}}), HasSubstr("operand 2 is tensor(int64)"));
  EXPECT_THAT(refusal({"Where", {booleans({2}, {1, 0}), floats({3}, {1, 2, 3}), one}}), HasSubstr("do not broadcast"));
}

TEST(MovementTypes, AreInferredOnlyWhereCertain) {
  const Type any_floats = Type::tensor(ElementType::float32);
  const Type index = Type::tensor(ElementType::int64, static_shape({5}));
  EXPECT_EQ(inferred({"Concat", {}, axis(0)}, {float_type({2, 3}), float_type({1, -1})}), float_type({3, 3}));
  EXPECT_EQ(inferred({"Concat", {}, axis(0)}, {float_type({2, 3}), any_floats}), float_type({-1, 3}));
  EXPECT_EQ(inferred({"Concat", {}, axis(1)}, {float_type({2, 3}), float_type({1, 3})}), any_floats);
  EXPECT_EQ(inferred({"Concat", {}, axis(1)}, {any_floats, float_type({1, 3})}), float_type({1, -1}));
  EXPECT_EQ(inferred({"Gather", {}, axis(1)}, {float_type({2, -1}), index}), float_type({2, 5}));
  EXPECT_EQ(inferred({"Gather"}, {float_type({2, -1}), Type{}}), any_floats);
  EXPECT_EQ(inferred({"Gather", {}, {{"axis", AttributeReference{"a"}}}}, {float_type({2, 3}), index}), any_floats);
  EXPECT_EQ(
      inferred({"Where"}, {Type::tensor(ElementType::boolean, static_shape({2, 1})), float_type({3}), float_type({})}),
      float_type({2, 3}));
  EXPECT_THROW(inferred({"Concat", {}, axis(0)}, {any_floats, index}), EvaluationError);
  EXPECT_THROW(inferred({"Gather"}, {any_floats, any_floats}), EvaluationError);
  EXPECT_THROW(inferred({"Where"}, {any_floats, any_floats, any_floats}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
