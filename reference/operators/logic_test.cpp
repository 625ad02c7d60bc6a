#include <gtest/gtest.h>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

TEST(Logic, HasItsTruthTables) {
  const Value a = booleans({4}, {0, 0, 1, 1});
  const Value b = booleans({4}, {0, 1, 0, 1});
  EXPECT_THAT(evaluated({"And", {a, b}}), IsValue(booleans({4}, {0, 0, 0, 1})));
  EXPECT_THAT(evaluated({"Or", {a, b}}), IsValue(booleans({4}, {0, 1, 1, 1})));
  EXPECT_THAT(evaluated({"Not", {b}}), IsValue(booleans({4}, {1, 0, 1, 0})));
}

TEST(Logic, Broadcasts) {
  EXPECT_THAT(evaluated({"And", {booleans({2, 1}, {0, 1}), booleans({2}, {0, 1})}}),
              IsValue(booleans({2, 2}, {0, 0, 0, 1})));
  EXPECT_THAT(evaluated({"Or", {booleans({2}, {0, 1}), booleans({}, {0})}, {{"broadcast", std::int64_t{1}}}, 6}),
              IsValue(booleans({2}, {0, 1})));
}

TEST(Logic, AcceptsBooleansOnly) {
  EXPECT_NE(refusal({"And", {floats({}, {1}), floats({}, {1})}}), "");
  EXPECT_EQ(refusal({"Not", {integers({}, {1})}}), "Not: operand 0 is tensor(int64); expected tensor(bool)");
  EXPECT_THROW(inferred({"Not"}, {float_type({})}), EvaluationError);
  EXPECT_THROW(inferred({"Or"}, {float_type({}), Type{}}), EvaluationError);
}

TEST(LogicTypes, AreBoolean) {
  const Type pair = Type::tensor(ElementType::boolean, static_shape({2}));
  EXPECT_EQ(inferred({"And"}, {pair, Type::tensor(ElementType::boolean, Shape{})}), pair);
  EXPECT_EQ(inferred({"Not"}, {pair}), pair);
}

}  // namespace
}  // namespace ifcert::kernels
