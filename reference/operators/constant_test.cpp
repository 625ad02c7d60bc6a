#include <gtest/gtest.h>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

TEST(Constant, IsTheValueOfItsAttribute) {
  const Value matrix = floats({1, 2}, {1, 2});
  EXPECT_THAT(evaluated({"Constant", {}, {{"value", matrix}}}), IsValue(matrix));
  const Value sparse = SparseTensor{*floats({1}, {1}).tensor(), *list({1}).tensor(), {3}};
  EXPECT_THAT(evaluated({"Constant", {}, {{"sparse_value", sparse}}}), IsValue(sparse)) << "dense where it is read";
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_int", std::int64_t{-3}}}}), IsValue(integers({}, {-3})));
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_ints", std::vector<std::int64_t>{1, 2}}}}), IsValue(list({1, 2})));
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_ints", std::vector<std::int64_t>{}}}}), IsValue(list({})));
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_float", 0.5F}}}), IsValue(floats({}, {0.5})));
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_floats", std::vector<float>{1, 2}}}}), IsValue(floats({2}, {1, 2})));
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_string", std::string("a")}}}), IsValue(make_strings({}, {"a"})));
  EXPECT_THAT(evaluated({"Constant", {}, {{"value_strings", std::vector<std::string>{"a", ""}}}}),
              IsValue(make_strings({2}, {"a", ""})));
}

TEST(Constant, SharesTheElementsOfItsAttribute) {
  const Value value = floats({2}, {1, 2});
  EXPECT_EQ(evaluated({"Constant", {}, {{"value", value}}}).tensor(), value.tensor());
}

TEST(Constant, HasExactlyOneAttributeOfTheRightType) {
  EXPECT_THAT(refusal({"Constant"}), HasSubstr("none of the attributes"));
  EXPECT_THAT(refusal({"Constant", {}, {{"value_int", std::int64_t{1}}, {"value_float", 1.0F}}}),
              HasSubstr("value_float and value_int are both given"));
  EXPECT_THAT(refusal({"Constant", {}, {{"value_float", std::int64_t{1}}}}),
              HasSubstr("has the type of attribute value_int"));
  EXPECT_THAT(refusal({"Constant", {}, {{"value", std::int64_t{1}}}}),
              HasSubstr("has the type of attribute value_int"));
  EXPECT_THAT(refusal({"Constant", {}, {{"value", Value(Sequence{})}}}), HasSubstr("not a tensor"));
  EXPECT_THAT(refusal({"Constant", {}, {{"value", Type{}}}}), HasSubstr("Constant does not accept"));
  EXPECT_THAT(refusal({"Constant", {floats({}, {1})}, {{"value_int", std::int64_t{1}}}}), HasSubstr("1 operands"));
}

TEST(ConstantTypes, AreExact) {
  EXPECT_EQ(inferred({"Constant", {}, {{"value", floats({1, 2}, {1, 2})}}}, {}), float_type({1, 2}));
  EXPECT_EQ(inferred({"Constant", {}, {{"value_int", AttributeReference{"n"}}}}, {}), Type{}) << "the call decides";
  EXPECT_THROW(inferred({"Constant"}, {}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
