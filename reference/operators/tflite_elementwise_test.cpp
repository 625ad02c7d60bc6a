// Arithmetic, comparisons, logic and choices of TensorFlow Lite; expected values are worked out by hand.
#include <cmath>
#include <limits>

#include "operators/tflite_call.hpp"

namespace ifcert::kernels::tflite {
namespace {

using namespace std::string_literals;

const Value two_by_three = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const float nan = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();

Attributes fused(const std::string& activation) {
  return {{"fused_activation_function", activation}};
}

TEST(TfliteArithmetic, BroadcastsAsNumpyDoes) {
  EXPECT_EQ(outcome("ADD", {two_by_three, floats({3}, {10, 20, 30})}), "float32[2, 3] [11, 22, 33, 14, 25, 36]");
  EXPECT_EQ(outcome("SUB", {two_by_three, floats({2, 1}, {1, 2})}), "float32[2, 3] [0, 1, 2, 2, 3, 4]");
  EXPECT_EQ(outcome("MUL", {floats({}, {3}), floats({1, 2}, {2, -5})}), "float32[1, 2] [6, -15]");
  EXPECT_EQ(outcome("DIV", {floats({2}, {1, -3}), floats({}, {4})}), "float32[2] [0.25, -0.75]");
  EXPECT_EQ(outcome("ADD", {two_by_three, floats({2}, {1, 2})}), "ADD: shapes [2, 3] and [2] do not broadcast");
}

TEST(TfliteArithmetic, OfIntegersWraps) {
  EXPECT_EQ(outcome("ADD", {ints({1}, {2147483647}), ints({1}, {1})}), "int32[1] [-2147483648]");
  EXPECT_EQ(outcome("SUB", {bytes(ElementType::int8, {0x80}), bytes(ElementType::int8, {1})}), "int8[1] [127]");
  EXPECT_EQ(outcome("MUL", {bytes(ElementType::uint8, {200}), bytes(ElementType::uint8, {2})}), "uint8[1] [144]");
  EXPECT_EQ(outcome("ADD", {tensor<std::int16_t>(ElementType::int16, {1}, {32767}),
                            tensor<std::int16_t>(ElementType::int16, {1}, {2})}),
            "int16[1] [-32767]");
  EXPECT_EQ(outcome("SUB", {list({-9223372036854775807}), list({2})}), "int64[1] [9223372036854775807]");
  EXPECT_EQ(outcome("NEG", {ints({2}, {-2147483648, 5})}), "int32[2] [-2147483648, -5]");
  EXPECT_EQ(outcome("ABS", {ints({2}, {-7, 7})}), "int32[2] [7, 7]");
  EXPECT_EQ(outcome("ABS", {floats({2}, {-1.5, 2})}), "float32[2] [1.5, 2]");
}

TEST(TfliteArithmetic, DividesIntegersTowardsZero) {
  EXPECT_EQ(outcome("DIV", {ints({4}, {7, -7, 7, -7}), ints({4}, {2, 2, -2, -2})}), "int32[4] [3, -3, -3, 3]");
  EXPECT_EQ(outcome("DIV", {ints({1}, {-2147483648}), ints({1}, {-1})}), "int32[1] [-2147483648]");
  EXPECT_THAT(outcome("DIV", {ints({1}, {7}), ints({1}, {0})}), testing::HasSubstr("integer division by zero"));
  EXPECT_EQ(outcome("DIV", {floats({2}, {1, -1}), floats({}, {0})}), "float32[2] [inf, -inf]");
  EXPECT_THAT(outcome("DIV", {floats({}, {0}), floats({}, {0})}), testing::EndsWith("nan]")) << "of either sign";
}

TEST(TfliteArithmetic, AppliesItsActivation) {
  const Value zeros = floats({}, {0});
  const Value numbers = floats({7}, {-infinity, -2, -0.5, 0.5, 5, 7, nan});
  EXPECT_EQ(outcome("ADD", {numbers, zeros}, fused("NONE")), "float32[7] [-inf, -2, -0.5, 0.5, 5, 7, nan]");
  EXPECT_EQ(outcome("ADD", {numbers, zeros}, fused("RELU")), "float32[7] [0, 0, 0, 0.5, 5, 7, nan]");
  EXPECT_EQ(outcome("SUB", {numbers, zeros}, fused("RELU_N1_TO_1")), "float32[7] [-1, -1, -0.5, 0.5, 1, 1, nan]");
  EXPECT_EQ(outcome("ADD", {numbers, zeros}, fused("RELU6")), "float32[7] [0, 0, 0, 0.5, 5, 6, nan]");
  EXPECT_EQ(outcome("MUL", {ints({4}, {-3, 3, 7, -1}), ints({}, {1})}, fused("RELU6")), "int32[4] [0, 3, 6, 0]");
  EXPECT_EQ(outcome("DIV", {ints({3}, {-9, 9, 0}), ints({}, {2})}, fused("RELU_N1_TO_1")), "int32[3] [-1, 1, 0]");
  EXPECT_EQ(
      outcome("ADD", {bytes(ElementType::uint8, {0, 9}), bytes(ElementType::uint8, {0, 0})}, fused("RELU_N1_TO_1")),
      "uint8[2] [0, 1]");
  EXPECT_EQ(outcome("ADD", {two_by_three, two_by_three}, fused("TANH")),
            "ADD: the reference does not support fused_activation_function TANH");
  EXPECT_EQ(outcome("DIV", {two_by_three, two_by_three}, fused("SIGN_BIT")),
            "DIV: the reference does not support fused_activation_function SIGN_BIT");
}

TEST(TfliteArithmetic, RefusesOperandsThatAreNotTwoTensorsOfNumbers) {
  EXPECT_EQ(outcome("ADD", {booleans({1}, {1}), booleans({1}, {0})}),
            "ADD: operands are tensor(bool), which it does not accept");
  EXPECT_EQ(outcome("MUL", {make_strings({1}, {"a"}), make_strings({1}, {"b"})}),
            "MUL: operands are tensor(string), which it does not accept");
  EXPECT_EQ(outcome("ADD", {two_by_three, ints({}, {1})}),
            "ADD: operand 1 is tensor(int32), but operand 0 is tensor(float32)");
  EXPECT_EQ(outcome("ADD", {two_by_three}), "ADD: operand 1 is left out; expected a tensor");
  EXPECT_EQ(outcome("ADD", {two_by_three, two_by_three, two_by_three}), "ADD: 3 operands given; expected at most 2");
  EXPECT_EQ(outcome("NEG", {bytes(ElementType::uint8, {1})}),
            "NEG: operands are tensor(uint8), which it does not accept");
  EXPECT_EQ(outcome("ABS", {booleans({1}, {1})}), "ABS: operands are tensor(bool), which it does not accept");
}

TEST(TfliteComparison, OrdersNumbers) {
  const Value a = ints({3}, {1, 2, 3});
  const Value two = ints({}, {2});
  EXPECT_EQ(outcome("LESS", {a, two}), "bool[3] [true, false, false]");
  EXPECT_EQ(outcome("LESS_EQUAL", {a, two}), "bool[3] [true, true, false]");
  EXPECT_EQ(outcome("GREATER", {a, two}), "bool[3] [false, false, true]");
  EXPECT_EQ(outcome("GREATER_EQUAL", {a, two}), "bool[3] [false, true, true]");
  EXPECT_EQ(outcome("LESS", {bytes(ElementType::uint8, {200}), bytes(ElementType::uint8, {100})}), "bool[1] [false]");
  EXPECT_EQ(outcome("LESS", {bytes(ElementType::int8, {200}), bytes(ElementType::int8, {100})}), "bool[1] [true]");
  EXPECT_EQ(outcome("LESS_EQUAL", {booleans({1}, {1}), booleans({1}, {0})}),
            "LESS_EQUAL: operands are tensor(bool), which it does not accept");
  EXPECT_EQ(outcome("GREATER_EQUAL", {make_strings({1}, {"a"}), make_strings({1}, {"b"})}),
            "GREATER_EQUAL: operands are tensor(string), which it does not accept");
  EXPECT_EQ(outcome("LESS_EQUAL", {a, list({1, 2, 3})}),
            "LESS_EQUAL: operand 1 is tensor(int64), but operand 0 is tensor(int32)");
}

TEST(TfliteComparison, IsEqualOnAnyType) {
  EXPECT_EQ(outcome("EQUAL", {floats({3}, {1, 2, -0.0F}), floats({3}, {1, 3, 0})}), "bool[3] [true, false, true]");
  EXPECT_EQ(outcome("EQUAL", {booleans({4}, {0, 0, 1, 1}), booleans({4}, {0, 1, 0, 1})}),
            "bool[4] [true, false, false, true]");
  EXPECT_EQ(outcome("EQUAL", {make_strings({2}, {"yes", "no"}), make_strings({1}, {"no"})}), "bool[2] [false, true]");
  EXPECT_EQ(outcome("NOT_EQUAL", {make_strings({2}, {"yes", "no"}), make_strings({1}, {"no"})}),
            "bool[2] [true, false]");
  EXPECT_EQ(outcome("NOT_EQUAL", {ints({2, 1}, {1, 2}), ints({2}, {1, 2})}), "bool[2, 2] [false, true, true, false]");
}

TEST(TfliteComparison, OfANanIsFalseButNotEqual) {
  const Value numbers = floats({2}, {nan, 1});
  const Value nans = floats({}, {nan});
  for (const char* op : {"EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"})
    EXPECT_EQ(outcome(op, {numbers, nans}), "bool[2] [false, false]") << op;
  EXPECT_EQ(outcome("NOT_EQUAL", {numbers, nans}), "bool[2] [true, true]");
}

TEST(TfliteChoice, IsTheGreaterOrTheSmallerNumber) {
  EXPECT_EQ(outcome("MAXIMUM", {ints({3}, {1, 5, -3}), ints({}, {2})}), "int32[3] [2, 5, 2]");
  EXPECT_EQ(outcome("MINIMUM", {list({1, 5, -3}), list({2})}), "int64[3] [1, 2, -3]");
  EXPECT_EQ(outcome("MAXIMUM", {booleans({1}, {1}), booleans({1}, {0})}),
            "MAXIMUM: operands are tensor(bool), which it does not accept");
}

/// "el1 > el2 ? el1 : el2" and "el1 < el2 ? el1 : el2" (its kernel)
TEST(TfliteChoice, IsTheSecondWhereOneIsNan) {
  EXPECT_EQ(outcome("MAXIMUM", {floats({2}, {nan, 1}), floats({2}, {2, nan})}), "float32[2] [2, nan]");
  EXPECT_EQ(outcome("MINIMUM", {floats({2}, {nan, 1}), floats({2}, {2, nan})}), "float32[2] [2, nan]");
}

TEST(TfliteLogic, IsOfBooleans) {
  const Value a = booleans({4}, {0, 0, 1, 1});
  const Value b = booleans({4}, {0, 1, 0, 1});
  EXPECT_EQ(outcome("LOGICAL_AND", {a, b}), "bool[4] [false, false, false, true]");
  EXPECT_EQ(outcome("LOGICAL_OR", {a, b}), "bool[4] [false, true, true, true]");
  EXPECT_EQ(outcome("LOGICAL_OR", {a, booleans({1}, {1})}), "bool[4] [true, true, true, true]");
  EXPECT_EQ(outcome("LOGICAL_NOT", {b}), "bool[4] [true, false, true, false]");
  EXPECT_EQ(outcome("LOGICAL_AND", {ints({1}, {1}), ints({1}, {1})}),
            "LOGICAL_AND: operands are tensor(int32), which it does not accept");
  EXPECT_EQ(outcome("LOGICAL_NOT", {ints({1}, {1})}), "LOGICAL_NOT: operand 0 is tensor(int32); expected tensor(bool)");
}

TEST(TfliteSelect, SelectsElementsRowsOrTheWhole) {
  const Value x = ints({2, 2}, {1, 2, 3, 4});
  const Value y = ints({2, 2}, {-1, -2, -3, -4});
  EXPECT_EQ(outcome("SELECT", {booleans({2, 2}, {1, 0, 0, 1}), x, y}), "int32[2, 2] [1, -2, -3, 4]");
  EXPECT_EQ(outcome("SELECT", {booleans({2}, {0, 1}), x, y}), "int32[2, 2] [-1, -2, 3, 4]");
  EXPECT_EQ(outcome("SELECT", {booleans({}, {0}), x, y}), "int32[2, 2] [-1, -2, -3, -4]");
  EXPECT_EQ(outcome("SELECT", {booleans({1}, {1}), make_strings({1}, {"x"}), make_strings({1}, {"y"})}),
            "string[1] [\"x\"]");
}

TEST(TfliteSelect, BroadcastsFromItsSecondFormOnly) {
  const Value x = ints({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(outcome("SELECT", {booleans({1, 2}, {0, 1}), x, x}),
            "SELECT: a condition of shape [1, 2] cannot select from shape [2, 2]");
  EXPECT_EQ(outcome("SELECT", {booleans({3}, {0, 1, 0}), x, x}),
            "SELECT: a condition of shape [3] cannot select from shape [2, 2]");
  EXPECT_EQ(outcome("SELECT", {booleans({1}, {1}), ints({}, {1}), ints({}, {2})}),
            "SELECT: a condition of shape [1] cannot select from shape []");
  EXPECT_EQ(outcome("SELECT", {booleans({}, {1}), x, ints({}, {2})}), "SELECT: operands 1 and 2 differ in shape");
  EXPECT_EQ(outcome("SELECT_V2", {booleans({1, 2}, {0, 1}), x, ints({}, {9})}), "int32[2, 2] [9, 2, 9, 4]");
  EXPECT_EQ(outcome("SELECT", {ints({}, {1}), x, x}), "SELECT: operand 0 is tensor(int32); expected tensor(bool)");
  EXPECT_EQ(outcome("SELECT", {booleans({}, {1}), x, floats({2, 2}, {1, 2, 3, 4})}),
            "SELECT: operand 2 is tensor(float32), but operand 1 is tensor(int32)");
  EXPECT_EQ(outcome("SELECT", {booleans({}, {1}), x}), "SELECT: operand 2 is left out; expected a tensor");
}

TEST(TfliteInference, RefusesElementTypesThatNeverFit) {
  const Type floating = Type::tensor(ElementType::float32);
  const Type boolean = Type::tensor(ElementType::boolean);
  EXPECT_EQ(inferred("ADD", {floating, Type::tensor(ElementType::undefined)}), "float32");
  EXPECT_EQ(inferred("ADD", {floating, int_type}), "ADD: operand 1 is tensor(int32), but operand 0 is tensor(float32)");
  EXPECT_EQ(inferred("MAXIMUM", {boolean, boolean}), "MAXIMUM: operands are tensor(bool), which it does not accept");
  EXPECT_EQ(inferred("ADD", {floating, Type{}}), "ADD: operand 1 is left out; it is required");
  EXPECT_EQ(inferred("LESS_EQUAL", {int_type, int_type}), "bool");
  EXPECT_EQ(inferred("GREATER_EQUAL", {boolean, boolean}),
            "GREATER_EQUAL: operands are tensor(bool), which it does not accept");
  EXPECT_EQ(inferred("LOGICAL_OR", {boolean, int_type}),
            "LOGICAL_OR: operand 1 is tensor(int32), but operand 0 is tensor(bool)");
  EXPECT_EQ(inferred("SELECT", {boolean, int_type, int_type}), "int32");
  EXPECT_EQ(inferred("SELECT", {int_type, int_type, int_type}),
            "SELECT: operand 0 is tensor(int32); expected tensor(bool)");
}

}  // namespace
}  // namespace ifcert::kernels::tflite
