#include <gtest/gtest.h>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

Value pair() {
  return evaluated({"SequenceConstruct", {floats({1}, {1}), floats({2}, {2, 3})}});
}
Value at(std::int64_t position) {
  return integers({}, {position});
}

TEST(Sequence, IsConstructedOfTensorsOfOneType) {
  EXPECT_EQ(kind_text(type_of(pair())), "seq(tensor(float32))");
  EXPECT_THAT(evaluated({"SequenceLength", {pair()}}), IsValue(at(2)));
  EXPECT_THAT(refusal({"SequenceConstruct", {at(0), floats({}, {1})}}), HasSubstr("operand 1 is tensor(float32)"));
  EXPECT_THAT(refusal({"SequenceConstruct", {pair()}}), HasSubstr("expected a tensor"));
  EXPECT_THAT(refusal({"SequenceConstruct"}), HasSubstr("left out"));
}

TEST(Sequence, ReturnsItemsByPosition) {
  EXPECT_THAT(evaluated({"SequenceAt", {pair(), at(0)}}), IsValue(floats({1}, {1})));
  EXPECT_THAT(evaluated({"SequenceAt", {pair(), at(-1)}}), IsValue(floats({2}, {2, 3})));
  EXPECT_EQ(refusal({"SequenceAt", {pair(), at(2)}}), "SequenceAt: position 2 is outside [-2, 1]");
  EXPECT_EQ(refusal({"SequenceAt", {pair(), at(-3)}}), "SequenceAt: position -3 is outside [-2, 1]");
  EXPECT_THAT(refusal({"SequenceAt", {pair(), list({0, 1})}}), HasSubstr("expected a scalar"));
  EXPECT_THAT(evaluated({"SequenceAt", {pair(), list({1})}}), IsValue(evaluated({"SequenceAt", {pair(), at(1)}})));
  EXPECT_THAT(refusal({"SequenceAt", {pair(), floats({}, {0})}}), HasSubstr("tensor(float32)"));
  EXPECT_THAT(refusal({"SequenceAt", {at(0), at(0)}}), HasSubstr("expected a sequence"));
}

TEST(Sequence, MayBeEmptyAndStillHaveAType) {
  const Value empty = evaluated({"SequenceEmpty"});
  EXPECT_EQ(kind_text(type_of(empty)), "seq(tensor(float32))");
  EXPECT_THAT(evaluated({"SequenceLength", {empty}}), IsValue(at(0)));
  EXPECT_EQ(kind_text(type_of(evaluated({"SequenceEmpty", {}, {{"dtype", std::int64_t{8}}}}))), "seq(tensor(string))");
  EXPECT_NE(refusal({"SequenceAt", {empty, at(0)}}), "");
  EXPECT_THAT(refusal({"SequenceEmpty", {}, {{"dtype", std::int64_t{0}}}}), HasSubstr("dtype is 0"));
}

TEST(Sequence, InsertsATensorAtAnyPositionAndByDefaultAtTheEnd) {
  const Value three = floats({1}, {3});
  const Value back = evaluated({"SequenceInsert", {pair(), three}});
  EXPECT_THAT(evaluated({"SequenceAt", {back, at(2)}}), IsValue(three));
  const Value front = evaluated({"SequenceInsert", {pair(), three, at(-2)}});
  EXPECT_THAT(evaluated({"SequenceAt", {front, at(0)}}), IsValue(three));
  EXPECT_THAT(evaluated({"SequenceAt", {front, at(1)}}), IsValue(floats({1}, {1})));
  EXPECT_THAT(evaluated({"SequenceLength", {evaluated({"SequenceInsert", {pair(), three, at(2)}})}}), IsValue(at(3)));
  EXPECT_EQ(refusal({"SequenceInsert", {pair(), three, at(3)}}), "SequenceInsert: position 3 is outside [-2, 2]");
  EXPECT_THAT(refusal({"SequenceInsert", {pair(), list({1})}}), HasSubstr("tensor(int64) cannot be inserted"));
  EXPECT_THAT(refusal({"SequenceInsert", {pair(), three, list({1, 1})}}), HasSubstr("expected a scalar"));
}

TEST(SequenceTypes, AreInferred) {
  const Type floats_sequence = Type::sequence_of(Type::tensor(ElementType::float32));
  const Type position = Type::tensor(ElementType::int64, Shape{});
  EXPECT_EQ(inferred({"SequenceConstruct"}, {float_type({1}), Type{}}), floats_sequence);
  EXPECT_EQ(inferred({"SequenceEmpty"}, {}), floats_sequence);
  EXPECT_EQ(inferred({"SequenceEmpty", {}, {{"dtype", AttributeReference{"t"}}}}, {}),
            Type::sequence_of(Type::tensor(ElementType::undefined)));
  EXPECT_EQ(inferred({"SequenceAt"}, {floats_sequence, position}), Type::tensor(ElementType::float32));
  EXPECT_EQ(inferred({"SequenceAt"}, {Type{}, position}), Type{});
  EXPECT_EQ(inferred({"SequenceLength"}, {floats_sequence}), position);
  EXPECT_THROW(inferred({"SequenceLength"}, {position}), EvaluationError);
  EXPECT_EQ(inferred({"SequenceInsert"}, {floats_sequence, Type{}}), floats_sequence);
  EXPECT_THROW(inferred({"SequenceInsert"}, {floats_sequence, position}), EvaluationError);
  EXPECT_THROW(inferred({"SequenceInsert"}, {floats_sequence, float_type({1}), float_type({})}), EvaluationError);
  EXPECT_THROW(inferred({"SequenceAt"}, {floats_sequence, float_type({})}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
