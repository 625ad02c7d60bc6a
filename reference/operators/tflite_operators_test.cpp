// TensorFlow Lite's operators on shapes and positions; expected values are worked out by hand from their
// specifications.
#include <cmath>
#include <limits>

#include "operators/tflite_call.hpp"

namespace ifcert::kernels::tflite {
namespace {

using namespace std::string_literals;
using Integers = std::vector<std::int64_t>;

const Value matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Value words = make_strings({2, 2}, {"a", "b", "c", "d"});
constexpr std::int64_t one = 1;

TEST(TfliteCast, TruncatesTowardsZero) {
  EXPECT_EQ(outcome("CAST", {floats({4}, {1.9F, -1.9F, 0.5, -0.5})}, {{"out_data_type", "int32"s}}),
            "int32[4] [1, -1, 0, 0]");
  EXPECT_EQ(outcome("CAST", {ints({3}, {3, 0, -1})}, {{"out_data_type", "bool"s}}), "bool[3] [true, false, true]");
  EXPECT_EQ(outcome("CAST", {floats({2}, {0.25, 0})}, {{"out_data_type", "bool"s}}), "bool[2] [true, false]");
  EXPECT_EQ(outcome("CAST", {booleans({2}, {1, 0})}, {{"out_data_type", "float32"s}}), "float32[2] [1, 0]");
  EXPECT_EQ(outcome("CAST", {ints({2}, {16777217, -5})}, {{"out_data_type", "float32"s}}), "float32[2] [16777216, -5]");
  EXPECT_EQ(outcome("CAST", {list({4294967301, -1})}, {{"out_data_type", "int32"s}}), "int32[2] [5, -1]");
  EXPECT_EQ(outcome("CAST", {ints({2}, {200, -1})}, {{"out_data_type", "int8"s}}), "int8[2] [-56, -1]");
}

TEST(TfliteCast, OutOfRangeIsTheNearestInteger) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(outcome("CAST", {floats({3}, {3e9F, -3e9F, nan})}, {{"out_data_type", "int32"s}}),
            "int32[3] [2147483647, -2147483648, 0]");
  EXPECT_EQ(outcome("CAST", {floats({2}, {-1, 300})}, {{"out_data_type", "uint8"s}}), "uint8[2] [0, 255]");
}

TEST(TfliteCast, AcceptsNumbersAndBooleansOnly) {
  EXPECT_EQ(outcome("CAST", {words}, {{"out_data_type", "float32"s}}),
            "CAST: operands are tensor(string), which it does not accept");
  EXPECT_EQ(outcome("CAST", {matrix}, {{"out_data_type", "string"s}}),
            "CAST: operands are tensor(string), which it does not accept");
  EXPECT_EQ(outcome("CAST", {matrix}, {{"out_data_type", "INT32"s}}),
            "CAST: attribute out_data_type is \"INT32\", which is not an element type of the reference");
  EXPECT_EQ(outcome("CAST", {matrix}), "CAST: attribute out_data_type is missing");
  EXPECT_EQ(inferred("CAST", {float_type({2})}, {{"out_data_type", "int64"s}}), "int64[2]");
  EXPECT_EQ(inferred("CAST", {Type::tensor(ElementType::string)}, {{"out_data_type", "int64"s}}),
            "CAST: operands are tensor(string), which it does not accept");
}

TEST(TfliteReshape, PrefersTheOperandToTheOptionAsItsShape) {
  EXPECT_EQ(outcome("RESHAPE", {matrix, int_list({3, 2})}), "float32[3, 2] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("RESHAPE", {matrix, int_list({-1, 2})}, {{"new_shape", Integers{6}}}),
            "float32[3, 2] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("RESHAPE", {matrix}, {{"new_shape", Integers{6}}}), "float32[6] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("RESHAPE", {matrix, {}}, {{"new_shape", Integers{-1, 6}}}), "float32[1, 6] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("RESHAPE", {words, int_list({4})}), "string[4] [\"a\", \"b\", \"c\", \"d\"]");
  EXPECT_EQ(outcome("RESHAPE", {floats({1}, {7}), int_list({})}), "float32[] [7]");
}

TEST(TfliteReshape, OfOneElementByAnOldOptionIsAScalar) {
  EXPECT_EQ(outcome("RESHAPE", {floats({1}, {7})}, {{"new_shape", Integers{0}}}), "float32[] [7]");
  EXPECT_EQ(outcome("RESHAPE", {floats({1}, {7})}, {{"new_shape", Integers{}}}), "float32[] [7]");
}

TEST(TfliteReshape, MakesDimsOfSizeZeroOfNoElementsOnly) {
  EXPECT_EQ(outcome("RESHAPE", {floats({0, 2}, {}), int_list({5, 0})}), "float32[5, 0] []");
  EXPECT_EQ(outcome("RESHAPE", {floats({0, 2}, {}), int_list({-1, 3})}), "float32[0, 3] []");
  EXPECT_EQ(outcome("RESHAPE", {matrix, int_list({0, 3})}),
            "RESHAPE: [2, 3] has 6 elements, but the new shape [0, 3] does not");
}

TEST(TfliteReshape, RefusesShapesThatDoNotFit) {
  EXPECT_EQ(outcome("RESHAPE", {matrix, int_list({4})}),
            "RESHAPE: [2, 3] has 6 elements, but the new shape [4] does not");
  EXPECT_EQ(outcome("RESHAPE", {matrix, int_list({-1, -1})}), "RESHAPE: the new shape has -1 more than once");
  EXPECT_EQ(outcome("RESHAPE", {matrix, int_list({-2})}), "RESHAPE: the new shape [-2] has a negative dim");
  EXPECT_EQ(outcome("RESHAPE", {matrix, list({6})}), "RESHAPE: operand 1 is tensor(int64); expected int32");
  EXPECT_EQ(outcome("RESHAPE", {matrix, ints({}, {6})}), "RESHAPE: operand 1 has rank 0; expected a list (rank 1)");
  EXPECT_EQ(outcome("RESHAPE", {matrix}), "RESHAPE: neither operand 1 nor attribute new_shape has the new shape");
  EXPECT_EQ(outcome("RESHAPE", {{}, int_list({1})}), "RESHAPE: operand 0 is left out; expected a tensor");
  EXPECT_THAT(outcome("RESHAPE", {matrix, int_list({2147483647, 2147483647, 2147483647, 2147483647})}),
              testing::StartsWith("RESHAPE: "));
}

TEST(TfliteReshape, IsInferredFromAKnownShape) {
  EXPECT_EQ(inferred("RESHAPE", {float_type({2, 3}), int_type}, {}, {{}, int_list({-1, 3})}), "float32[?, 3]");
  EXPECT_EQ(inferred("RESHAPE", {float_type({2, 3}), int_type}, {{"new_shape", Integers{6}}}), "float32");
  EXPECT_EQ(inferred("RESHAPE", {float_type({2, 3})}, {{"new_shape", Integers{6}}}), "float32[6]");
  EXPECT_EQ(inferred("RESHAPE", {float_type({2, 3}), Type::tensor(ElementType::int64)}),
            "RESHAPE: operand 1 is tensor(int64); expected int32");
}

TEST(TfliteDims, AreReturnedAndOneMoreIsInserted) {
  EXPECT_EQ(outcome("EXPAND_DIMS", {matrix, ints({}, {1})}), "float32[2, 1, 3] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("EXPAND_DIMS", {matrix, list({-1})}), "float32[2, 3, 1] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("EXPAND_DIMS", {matrix, int_list({0, 1})}), "EXPAND_DIMS: 2 axes are given; expected one");
  EXPECT_EQ(outcome("EXPAND_DIMS", {matrix, ints({}, {3})}), "EXPAND_DIMS: axis 3 is outside [-3, 2] of rank 3");
  EXPECT_EQ(outcome("SHAPE", {matrix}, {{"out_type", "int32"s}}), "int32[2] [2, 3]");
  EXPECT_EQ(outcome("SHAPE", {floats({}, {1})}, {{"out_type", "int64"s}}), "int64[0] []");
  EXPECT_EQ(outcome("SHAPE", {words}, {{"out_type", "float32"s}}),
            "SHAPE: attribute out_type is float32; expected int32 or int64");
  EXPECT_EQ(outcome("SHAPE", {words}), "SHAPE: attribute out_type is missing");
  EXPECT_EQ(inferred("SHAPE", {float_type({2, 3})}, {{"out_type", "int32"s}}), "int32[2]");
}

TEST(TfliteConcatenation, IsAlongItsAxis) {
  EXPECT_EQ(outcome("CONCATENATION", {matrix, floats({1, 3}, {7, 8, 9})}, {{"axis", std::int64_t{0}}}),
            "float32[3, 3] [1, 2, 3, 4, 5, 6, 7, 8, 9]");
  EXPECT_EQ(outcome("CONCATENATION", {matrix, floats({2, 1}, {7, 8})}, {{"axis", std::int64_t{-1}}}),
            "float32[2, 4] [1, 2, 3, 7, 4, 5, 6, 8]");
  EXPECT_EQ(outcome("CONCATENATION", {make_strings({1}, {"a"}), make_strings({0}, {}), make_strings({1}, {"b"})},
                    {{"axis", std::int64_t{0}}}),
            "string[2] [\"a\", \"b\"]");
  EXPECT_EQ(outcome("CONCATENATION", {floats({1}, {-1}), floats({1}, {9})},
                    {{"axis", std::int64_t{0}}, {"fused_activation_function", "RELU6"s}}),
            "float32[2] [0, 6]");
}

TEST(TfliteConcatenation, RefusesOperandsThatDoNotFit) {
  const Attributes first{{"axis", std::int64_t{0}}};
  EXPECT_EQ(outcome("CONCATENATION", {matrix, floats({2, 2}, {1, 2, 3, 4})}, first),
            "CONCATENATION: shapes [2, 3] and [2, 2] differ in more than axis 0");
  EXPECT_EQ(outcome("CONCATENATION", {matrix, matrix}, {{"axis", std::int64_t{2}}}),
            "CONCATENATION: axis 2 is outside [-2, 1] of rank 2");
  EXPECT_EQ(outcome("CONCATENATION", {matrix, ints({1, 3}, {1, 2, 3})}, first),
            "CONCATENATION: operand 1 is tensor(int32), but operand 0 is tensor(float32)");
  EXPECT_EQ(outcome("CONCATENATION", {floats({}, {1}), floats({}, {2})}, first),
            "CONCATENATION: axis 0 is outside [0, -1] of rank 0");
  EXPECT_EQ(outcome("CONCATENATION", {}, first), "CONCATENATION: operand 0 is left out; expected a tensor");
  EXPECT_EQ(outcome("CONCATENATION", {words, words}, {{"fused_activation_function", "RELU"s}}),
            "CONCATENATION: operands are tensor(string), which it does not accept");
  EXPECT_EQ(inferred("CONCATENATION", {float_type({2}), int_type}, first),
            "CONCATENATION: operand 1 is tensor(int32), but operand 0 is tensor(float32)");
}

TEST(TflitePack, StacksAlongANewAxis) {
  const Value a = ints({2}, {1, 2});
  const Value b = ints({2}, {3, 4});
  EXPECT_EQ(outcome("PACK", {a, b}, {{"axis", std::int64_t{0}}, {"values_count", std::int64_t{2}}}),
            "int32[2, 2] [1, 2, 3, 4]");
  EXPECT_EQ(outcome("PACK", {a, b}, {{"axis", std::int64_t{-1}}, {"values_count", std::int64_t{2}}}),
            "int32[2, 2] [1, 3, 2, 4]");
  EXPECT_EQ(outcome("PACK", {booleans({}, {1})}, {{"axis", std::int64_t{0}}, {"values_count", one}}), "bool[1] [true]");
}

TEST(TflitePack, RefusesOperandsThatDoNotFit) {
  const Value a = ints({2}, {1, 2});
  const Attributes two{{"values_count", std::int64_t{2}}};
  EXPECT_EQ(outcome("PACK", {a}, two), "PACK: values_count is 2, but 1 operands are given");
  EXPECT_EQ(outcome("PACK", {}), "PACK: values_count is 0, but 0 operands are given");
  EXPECT_EQ(outcome("PACK", {a, ints({1}, {1})}, two),
            "PACK: expected tensors of one type and shape; tensor 1 is int32[1], but tensor 0 is int32[2]");
  EXPECT_EQ(outcome("PACK", {a, {}}, two), "PACK: operand 1 is left out; expected a tensor");
  EXPECT_EQ(outcome("PACK", {a, a}, {{"axis", std::int64_t{2}}, {"values_count", std::int64_t{2}}}),
            "PACK: axis 2 is outside [-2, 1] of rank 2");
  EXPECT_EQ(inferred("PACK", {int_type, float_type({2})}),
            "PACK: operand 1 is tensor(float32), but operand 0 is tensor(int32)");
}

TEST(TfliteSlice, BeginsAtBeginAndHasTheRequestedSize) {
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({0, 1}), int_list({2, 2})}), "float32[2, 2] [2, 3, 5, 6]");
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({1, 0}), int_list({-1, -1})}), "float32[1, 3] [4, 5, 6]");
  EXPECT_EQ(outcome("SLICE", {matrix, list({2, 0}), list({-1, 3})}), "float32[0, 3] []");
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({0, 3}), int_list({1, 0})}), "float32[1, 0] []");
  EXPECT_EQ(outcome("SLICE", {words, int_list({1, 1}), int_list({1, 1})}), "string[1, 1] [\"d\"]");
}

TEST(TfliteSlice, StaysWithinItsOperand) {
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({0, 1}), int_list({2, 3})}),
            "SLICE: begin 1 and size 3 are outside a dim of size 3");
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({-1, 0}), int_list({1, 1})}),
            "SLICE: begin -1 and size 1 are outside a dim of size 2");
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({3, 0}), int_list({-1, 1})}),
            "SLICE: begin 3 and size -1 are outside a dim of size 2");
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({0, 0}), int_list({-2, 1})}),
            "SLICE: begin 0 and size -2 are outside a dim of size 2");
  EXPECT_EQ(outcome("SLICE", {matrix, list({1, 1}), list({9223372036854775807, 1})}),
            "SLICE: begin 1 and size 9223372036854775807 are outside a dim of size 2");
  EXPECT_EQ(outcome("SLICE", {matrix, int_list({0}), int_list({1, 1})}),
            "SLICE: 1 begins and 2 sizes are given for 2 dims");
  EXPECT_EQ(outcome("SLICE", {matrix, floats({2}, {0, 0}), int_list({1, 1})}),
            "SLICE: operand 1 is tensor(float32); expected int32, int64");
  EXPECT_EQ(inferred("SLICE", {float_type({2, 3}), int_type, int_type}), "float32[?, ?]");
}

TEST(TfliteGather, PicksAlongItsAxis) {
  EXPECT_EQ(outcome("GATHER", {matrix, int_list({1, 0, 1})}, {{"axis", std::int64_t{0}}}),
            "float32[3, 3] [4, 5, 6, 1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("GATHER", {matrix, ints({}, {2})}, {{"axis", std::int64_t{-1}}}), "float32[2] [3, 6]");
  EXPECT_EQ(outcome("GATHER", {words, tensor<std::int16_t>(ElementType::int16, {1}, {1})}),
            "string[1, 2] [\"c\", \"d\"]");
  EXPECT_EQ(outcome("GATHER", {list({5, 6, 7}), list({2})}), "int64[1] [7]");
}

TEST(TfliteGather, StaysWithinItsBatches) {
  const Value data = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(outcome("GATHER", {data, ints({2, 1}, {2, 0})}, {{"axis", one}, {"batch_dims", one}}),
            "int32[2, 1] [3, 4]");
  EXPECT_EQ(outcome("GATHER", {data, ints({2}, {2, 0})}, {{"axis", one}, {"batch_dims", one}}), "int32[2] [3, 4]");
  const Value deep = ints({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(
      outcome("GATHER", {deep, ints({1, 2, 1}, {2, 0})}, {{"axis", std::int64_t{2}}, {"batch_dims", std::int64_t{2}}}),
      "int32[1, 2, 1] [3, 4]");
  EXPECT_EQ(outcome("GATHER", {data, ints({2, 1}, {0, 0})}, {{"batch_dims", one}}),
            "GATHER: attribute batch_dims is 1; expected at most 0");
}

TEST(TfliteGather, RefusesIndicesOutOfRange) {
  const Value data = ints({2}, {1, 2});
  EXPECT_EQ(outcome("GATHER", {data, int_list({2})}), "GATHER: index 2 is outside [0, 1]");
  EXPECT_EQ(outcome("GATHER", {data, int_list({-1})}), "GATHER: index -1 is outside [0, 1]");
  EXPECT_EQ(outcome("GATHER", {data, floats({1}, {0})}),
            "GATHER: operand 1 is tensor(float32); expected int16, int32, int64");
  EXPECT_EQ(outcome("GATHER", {ints({}, {1}), int_list({0})}), "GATHER: axis 0 is outside [0, -1] of rank 0");
  EXPECT_EQ(inferred("GATHER", {float_type({2}), float_type({1})}),
            "GATHER: operand 1 is tensor(float32); expected int16, int32, int64");
}

TEST(TfliteTranspose, OrdersAxesByItsOperand) {
  EXPECT_EQ(outcome("TRANSPOSE", {matrix, int_list({1, 0})}), "float32[3, 2] [1, 4, 2, 5, 3, 6]");
  EXPECT_EQ(outcome("TRANSPOSE", {matrix, int_list({0, 0})}), "TRANSPOSE: attribute perm names axis 0 twice");
  EXPECT_EQ(outcome("TRANSPOSE", {matrix, int_list({0})}),
            "TRANSPOSE: attribute perm has 1 axes, but the operand has 2");
}

TEST(TfliteSum, IsOverItsAxes) {
  EXPECT_EQ(outcome("SUM", {matrix, int_list({0})}), "float32[3] [5, 7, 9]");
  EXPECT_EQ(outcome("SUM", {matrix, ints({}, {-1})}, {{"keep_dims", one}}), "float32[2, 1] [6, 15]");
  EXPECT_EQ(outcome("SUM", {matrix, int_list({0, 1, -1})}), "float32[] [21]");
  EXPECT_EQ(outcome("SUM", {matrix, int_list({})}), "float32[2, 3] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("SUM", {ints({2}, {2147483647, 1}), int_list({0})}), "int32[] [-2147483648]");
  EXPECT_EQ(outcome("SUM", {floats({0, 2}, {}), int_list({0})}), "float32[2] [0, 0]");
  EXPECT_EQ(outcome("SUM", {matrix, int_list({2})}), "SUM: axis 2 is outside [-2, 1] of rank 2");
  EXPECT_EQ(outcome("SUM", {matrix, list({0})}), "SUM: operand 1 is tensor(int64); expected int32");
  EXPECT_EQ(outcome("SUM", {booleans({1}, {1}), int_list({0})}),
            "SUM: operand 0 is tensor(bool), which it does not accept");
  EXPECT_EQ(outcome("SUM", {matrix}), "SUM: operand 1 is left out; expected a tensor");
  EXPECT_EQ(inferred("SUM", {Type::tensor(ElementType::boolean), int_type}),
            "SUM: operands are tensor(bool), which it does not accept");
}

TEST(TfliteFill, RepeatsAScalar) {
  EXPECT_EQ(outcome("FILL", {int_list({2, 2}), floats({}, {1.5})}), "float32[2, 2] [1.5, 1.5, 1.5, 1.5]");
  EXPECT_EQ(outcome("FILL", {list({2}), make_strings({}, {"a"})}), "string[2] [\"a\", \"a\"]");
  EXPECT_EQ(outcome("FILL", {int_list({1}), booleans({}, {1})}), "bool[1] [true]");
  EXPECT_EQ(outcome("FILL", {int_list({}), ints({}, {7})}), "int32[] [7]");
  EXPECT_EQ(outcome("FILL", {int_list({0, 3}), ints({}, {7})}), "int32[0, 3] []");
  EXPECT_EQ(inferred("FILL", {int_type, float_type({})}, {}, {int_list({2, 3})}), "float32[2, 3]");
}

TEST(TfliteFill, RefusesOperandsThatAreNotAShapeAndAScalar) {
  EXPECT_EQ(outcome("FILL", {int_list({-1}), ints({}, {7})}), "FILL: the shape [-1] has a negative dim");
  EXPECT_EQ(outcome("FILL", {ints({}, {1}), ints({}, {7})}), "FILL: operand 0 has rank 0; expected a list (rank 1)");
  EXPECT_EQ(outcome("FILL", {int_list({1}), ints({1}, {7})}), "FILL: operand 1 has rank 1; expected a scalar");
  EXPECT_EQ(outcome("FILL", {floats({1}, {1}), ints({}, {7})}),
            "FILL: operand 0 is tensor(float32); expected int32, int64");
  EXPECT_THAT(outcome("FILL", {int_list({2147483647, 2147483647, 2147483647}), ints({}, {7})}),
              testing::HasSubstr("takes more than 4 GiB"));
  EXPECT_EQ(outcome("FILL", {int_list({1})}), "FILL: operand 1 is left out; expected a tensor");
}

TEST(TfliteTable, HasTheOperatorsThatItEvaluates) {
  EXPECT_EQ(outcome("add", {matrix, matrix}), "no operator");
  EXPECT_EQ(outcome("CONV_2D", {matrix, matrix}), "no operator");
  EXPECT_EQ(outcome("WHILE", {matrix}), "no operator");
  EXPECT_NE(find_operator(Format::tflite, "ADD", 9), nullptr) << "every version";
}

}  // namespace
}  // namespace ifcert::kernels::tflite
