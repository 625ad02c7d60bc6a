#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

TEST(Arithmetic, ComputesElementByElement) {
  const Value a = floats({3}, {1, 2, -3});
  const Value b = floats({3}, {4, 0.5, 2});
  EXPECT_THAT(evaluated({"Add", {a, b}}), IsValue(floats({3}, {5, 2.5, -1})));
  EXPECT_THAT(evaluated({"Sub", {a, b}}), IsValue(floats({3}, {-3, 1.5, -5})));
  EXPECT_THAT(evaluated({"Mul", {a, b}}), IsValue(floats({3}, {4, 1, -6})));
  EXPECT_THAT(evaluated({"Div", {a, b}}), IsValue(floats({3}, {0.25, 4, -1.5})));
}

template <class T>
void expect_two_plus_three(ElementType type, T two, T three, T five) {
  EXPECT_THAT(evaluated({"Add", {tensor<T>(type, {}, {two}), tensor<T>(type, {}, {three})}}),
              IsValue(tensor<T>(type, {}, {five})));
}

TEST(Arithmetic, AcceptsEveryNumericType) {
  expect_two_plus_three<std::int8_t>(ElementType::int8, 2, 3, 5);
  expect_two_plus_three<std::int16_t>(ElementType::int16, 2, 3, 5);
  expect_two_plus_three<std::int32_t>(ElementType::int32, 2, 3, 5);
  expect_two_plus_three<std::int64_t>(ElementType::int64, 2, 3, 5);
  expect_two_plus_three<std::uint8_t>(ElementType::uint8, 2, 3, 5);
  expect_two_plus_three<std::uint16_t>(ElementType::uint16, 2, 3, 5);
  expect_two_plus_three<std::uint32_t>(ElementType::uint32, 2, 3, 5);
  expect_two_plus_three<std::uint64_t>(ElementType::uint64, 2, 3, 5);
  expect_two_plus_three<std::uint16_t>(ElementType::float16, 0x4000, 0x4200, 0x4500);
  expect_two_plus_three<std::uint16_t>(ElementType::bfloat16, 0x4000, 0x4040, 0x40a0);
  expect_two_plus_three<double>(ElementType::float64, 2, 3, 5);
}

TEST(Arithmetic, BroadcastsAsNumpyDoes) {
  const Value column = floats({2, 1}, {10, 20});
  const Value row = floats({3}, {1, 2, 3});
  EXPECT_THAT(evaluated({"Add", {column, row}}), IsValue(floats({2, 3}, {11, 12, 13, 21, 22, 23})));
  EXPECT_THAT(evaluated({"Sub", {floats({}, {1}), row}}), IsValue(floats({3}, {0, -1, -2})));
  const Value block = floats({2, 1, 2}, {1, 2, 3, 4});
  EXPECT_THAT(evaluated({"Mul", {block, floats({2, 1}, {1, 10})}}),
              IsValue(floats({2, 2, 2}, {1, 2, 10, 20, 3, 4, 30, 40})));
  EXPECT_THAT(evaluated({"Add", {floats({0, 1}, {}), row}}), IsValue(floats({0, 3}, {})));
}

TEST(Arithmetic, RefusesShapesThatDoNotBroadcast) {
  EXPECT_EQ(refusal({"Add", {floats({2}, {1, 2}), floats({3}, {1, 2, 3})}}),
            "Add: shapes [2] and [3] do not broadcast");
  EXPECT_NE(refusal({"Add", {floats({0}, {}), floats({3}, {1, 2, 3})}}), "");
}

TEST(Arithmetic, RefusesOperandsThatDoNotFit) {
  const Value one = floats({}, {1});
  EXPECT_EQ(refusal({"Add", {one, integers({}, {1})}}),
            "Add: operand 1 is tensor(int64), but operand 0 is tensor(float32)");
  EXPECT_EQ(refusal({"Add", {one}}), "Add: operand 1 is left out; expected a tensor");
  EXPECT_EQ(refusal({"Add", {one, one, one}}), "Add: 3 operands given; expected at most 2");
  EXPECT_EQ(refusal({"Add", {one, Sequence{}}}), "Add: operand 1 is seq(?); expected a tensor");
  EXPECT_THAT(refusal({"Mul", {booleans({}, {1}), booleans({}, {1})}}), HasSubstr("tensor(bool)"));
  const Value strings = make_strings({}, {"a"});
  EXPECT_THAT(refusal({"Add", {strings, strings}}), HasSubstr("tensor(string)"));
}

TEST(Arithmetic, RefusesATensorWithFewerBytesThanItsShapeNeeds) {
  const Value broken = Tensor{ElementType::float32, {4}, Buffer::copy_of({}), {}};
  EXPECT_THAT(refusal({"Add", {broken, broken}}), HasSubstr("as many bytes"));
  const Value hostile = Tensor{ElementType::float32, {std::int64_t{1} << 62, 8}, Buffer(), {}};
  EXPECT_THAT(refusal({"Abs", {hostile}}), HasSubstr("as many bytes"));
}

TEST(Arithmetic, RefusesAResultOfMoreThanFourGibibytesBeforeMakingIt) {
  const std::vector<float> many(1 << 16);
  const Value column = floats({1 << 16, 1}, many);
  EXPECT_THAT(refusal({"Add", {column, floats({1 << 16}, many)}}), HasSubstr("more than 4 GiB"));
}

TEST(Arithmetic, IntegersWrap) {
  EXPECT_THAT(evaluated({"Add", {integers({}, {most}), integers({}, {1})}}), IsValue(integers({}, {least})));
  EXPECT_THAT(evaluated({"Sub", {integers({}, {least}), integers({}, {1})}}), IsValue(integers({}, {most})));
  EXPECT_THAT(evaluated({"Mul", {integers({}, {most}), integers({}, {2})}}), IsValue(integers({}, {-2})));
  const auto shorts = [](std::uint16_t x) { return tensor<std::uint16_t>(ElementType::uint16, {}, {x}); };
  EXPECT_THAT(evaluated({"Mul", {shorts(65535), shorts(65535)}}), IsValue(shorts(1)));
  EXPECT_THAT(evaluated({"Neg", {integers({}, {least})}}), IsValue(integers({}, {least})));
  EXPECT_THAT(evaluated({"Abs", {integers({}, {least})}}), IsValue(integers({}, {least})));
}

TEST(Division, OfIntegersTruncatesTowardsZero) {
  EXPECT_THAT(evaluated({"Div", {integers({4}, {7, -7, 7, -7}), integers({4}, {2, 2, -2, -2})}}),
              IsValue(integers({4}, {3, -3, -3, 3})));
  EXPECT_THAT(evaluated({"Div", {integers({}, {least}), integers({}, {-1})}}), IsValue(integers({}, {least})));
  const auto bytes = [](std::int8_t x) { return tensor<std::int8_t>(ElementType::int8, {}, {x}); };
  EXPECT_THAT(evaluated({"Div", {bytes(-128), bytes(-1)}}), IsValue(bytes(-128)));
}

TEST(Division, OfAnIntegerByZeroIsRefusedAndOfAFloatIsInfinity) {
  EXPECT_EQ(refusal({"Div", {integers({2}, {1, 2}), integers({2}, {1, 0})}}), "Div: integer division by zero");
  EXPECT_THAT(evaluated({"Div", {floats({2}, {1, -1}), floats({}, {0})}}),
              IsValue(floats({2}, {HUGE_VALF, -HUGE_VALF})));
}

TEST(Arithmetic, HalvesAreRoundedOnceToNearestEven) {
  const auto half = [](std::uint16_t bits) { return tensor<std::uint16_t>(ElementType::float16, {}, {bits}); };
  // 2048 + 1 lies between 2048 and 2050; 2050 + 1 between 2050 and 2052.
  EXPECT_THAT(evaluated({"Add", {half(0x6800), half(0x3c00)}}), IsValue(half(0x6800)));
  EXPECT_THAT(evaluated({"Add", {half(0x6801), half(0x3c00)}}), IsValue(half(0x6802)));
  EXPECT_THAT(evaluated({"Mul", {half(0x7bff), half(0x4000)}}), IsValue(half(0x7c00)));
}

TEST(Negation, FlipsTheSignAndNothingElse) {
  EXPECT_THAT(evaluated({"Neg", {floats({3}, {0, -1.5, HUGE_VALF})}}), IsValue(floats({3}, {-0.0F, 1.5, -HUGE_VALF})));
  const auto halves = [](const std::vector<std::uint16_t>& bits) { return tensor(ElementType::float16, {2}, bits); };
  EXPECT_THAT(evaluated({"Neg", {halves({0x7d01, 0x8000})}}), IsValue(halves({0xfd01, 0x0000})));
  EXPECT_THAT(evaluated({"Abs", {halves({0xfd01, 0x8000})}}), IsValue(halves({0x7d01, 0x0000})));
  EXPECT_THAT(evaluated({"Abs", {integers({2}, {-3, 3})}}), IsValue(integers({2}, {3, 3})));
  EXPECT_THAT(refusal({"Neg", {tensor<std::uint8_t>(ElementType::uint8, {}, {1})}}), HasSubstr("tensor(uint8)"));
}

TEST(Sign, IsOneMinusOneOrZero) {
  EXPECT_THAT(evaluated({"Sign", {floats({5}, {2.5, -0.25, 0, -0.0F, -HUGE_VALF})}}),
              IsValue(floats({5}, {1, -1, 0, 0, -1})));
  EXPECT_THAT(evaluated({"Sign", {integers({3}, {7, -7, 0})}}), IsValue(integers({3}, {1, -1, 0})));
  EXPECT_THAT(evaluated({"Sign", {tensor<std::uint8_t>(ElementType::uint8, {2}, {0, 255})}}),
              IsValue(tensor<std::uint8_t>(ElementType::uint8, {2}, {0, 1})));
  EXPECT_THAT(evaluated({"Sign", {tensor<std::uint16_t>(ElementType::float16, {2}, {0xc400, 0x0001})}}),
              IsValue(tensor<std::uint16_t>(ElementType::float16, {2}, {0xbc00, 0x3c00})));
  EXPECT_THAT(refusal({"Sign", {booleans({1}, {1})}}), HasSubstr("tensor(bool)"));
}

TEST(LimitedBroadcasting, AlignsTheSecondOperandByAxis) {
  const Value a = floats({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Value b = floats({2, 3}, {10, 20, 30, 40, 50, 60});
  const Attributes from_front{{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{0}}};
  EXPECT_THAT(evaluated({"Add", {a, b}, from_front, 6}),
              IsValue(floats({2, 3, 2}, {11, 12, 23, 24, 35, 36, 47, 48, 59, 60, 71, 72})));
  const Attributes suffix{{"broadcast", std::int64_t{1}}};
  EXPECT_THAT(evaluated({"Sub", {a, floats({2}, {0, 1})}, suffix, 1}),
              IsValue(floats({2, 3, 2}, {1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11})));
  EXPECT_THAT(evaluated({"Mul", {floats({2}, {1, 2}), floats({1}, {3})}, suffix, 6}), IsValue(floats({2}, {3, 6})));
}

TEST(LimitedBroadcasting, RefusesWhatItDoesNotAllow) {
  const Value a = floats({2, 2}, {1, 2, 3, 4});
  const Value b = floats({2}, {1, 2});
  EXPECT_NE(refusal({"Add", {a, b}, {}, 6}), "");
  EXPECT_NE(refusal({"Add", {b, a}, {{"broadcast", std::int64_t{1}}}, 6}), "");
  EXPECT_NE(refusal({"Add", {a, b}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{2}}}, 6}), "");
  EXPECT_NE(refusal({"Add", {a, floats({1, 2}, {1, 2})}, {{"broadcast", std::int64_t{1}}}, 6}), "");
  EXPECT_THAT(refusal({"Add", {a, b}, {{"broadcast", std::string("1")}}, 6}), HasSubstr("attribute broadcast"));
}

TEST(ArithmeticTypes, ShapesBroadcastAsFarAsTheyAreKnown) {
  const Call add{"Add"};
  EXPECT_EQ(inferred(add, {float_type({2, 1}), float_type({3})}), float_type({2, 3}));
  EXPECT_EQ(inferred(add, {float_type({-1, 1}), float_type({-1})}), float_type({-1, -1}));
  EXPECT_EQ(inferred(add, {float_type({-1}), float_type({5})}), float_type({5}));
  EXPECT_EQ(inferred(add, {float_type({-1}), float_type({1})}), float_type({-1}));
  EXPECT_EQ(inferred(add, {float_type({2}), Type::tensor(ElementType::float32)}), Type::tensor(ElementType::float32));
  EXPECT_EQ(inferred(add, {Type{}, float_type({2})}), Type::tensor(ElementType::float32));
  EXPECT_EQ(inferred(add, {float_type({2}), float_type({3})}), Type::tensor(ElementType::float32))
      << "a fault of the run";
  EXPECT_EQ(inferred({"Neg"}, {float_type({2, -1})}), float_type({2, -1}));
  const Attributes broadcast{{"broadcast", std::int64_t{1}}};
  EXPECT_EQ(inferred({"Add", {}, broadcast, 6}, {float_type({2, 3}), float_type({3})}), float_type({2, 3}));
  EXPECT_EQ(inferred({"Add", {}, {}, 6}, {float_type({2, 3}), float_type({3})}), Type::tensor(ElementType::float32))
      << "not without the attribute";
}

TEST(ArithmeticTypes, TypesThatNeverFitAreRefused) {
  const Type integer = Type::tensor(ElementType::int64);
  EXPECT_THROW(inferred({"Add"}, {float_type({2}), integer}), EvaluationError);
  EXPECT_THROW(inferred({"Add"}, {integer}), EvaluationError);
  EXPECT_THROW(inferred({"Add"}, {integer, Type::sequence_of(integer)}), EvaluationError);
  EXPECT_THROW(inferred({"Abs"}, {Type::tensor(ElementType::string)}), EvaluationError);
  EXPECT_THROW(inferred({"Neg"}, {Type::tensor(ElementType::uint8)}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
