#include <gtest/gtest.h>

#include <cmath>
#include <ifcert/elements.hpp>
#include <limits>

#include "model/onnx_element_types.hpp"
#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

// The numbers of TensorProto.DataType in onnx.proto.
constexpr std::int64_t to_float = 1;
constexpr std::int64_t to_uint8 = 2;
constexpr std::int64_t to_int8 = 3;
constexpr std::int64_t to_int32 = 6;
constexpr std::int64_t to_int64 = 7;
constexpr std::int64_t to_string_type = 8;
constexpr std::int64_t to_bool = 9;
constexpr std::int64_t to_float16 = 10;
constexpr std::int64_t to_double = 11;
constexpr std::int64_t to_complex64 = 14;
constexpr std::int64_t to_bfloat16 = 16;
constexpr std::int64_t to_float8e4m3fn = 17;
constexpr std::int64_t to_float8e5m2fnuz = 20;
constexpr std::int64_t to_int4 = 22;
constexpr std::int64_t to_float4e2m1 = 23;
constexpr std::int64_t to_float8e8m0 = 24;
constexpr std::int64_t to_uint2 = 25;

Value cast(const Value& value, std::int64_t to, Attributes others = {}, int version = 25) {
  others["to"] = to;
  return evaluated({"Cast", {value}, others, version});
}

TEST(Cast, NumbersBetweenNumericTypes) {
  const Value values = floats({4}, {0, 1.9F, -1.9F, 100});
  EXPECT_THAT(cast(values, to_int32), IsValue(tensor<std::int32_t>(ElementType::int32, {4}, {0, 1, -1, 100})));
  EXPECT_THAT(cast(values, to_bool), IsValue(booleans({4}, {0, 1, 1, 1})));
  EXPECT_THAT(cast(values, to_double), IsValue(tensor<double>(ElementType::float64, {4}, {0, 1.9F, -1.9F, 100})));
  EXPECT_THAT(cast(floats({2}, {1, 2}), to_float16),
              IsValue(tensor<std::uint16_t>(ElementType::float16, {2}, {0x3c00, 0x4000})));
  EXPECT_THAT(cast(floats({2}, {1, 2}), to_bfloat16),
              IsValue(tensor<std::uint16_t>(ElementType::bfloat16, {2}, {0x3f80, 0x4000})));
  EXPECT_THAT(cast(booleans({2}, {0, 1}), to_float), IsValue(floats({2}, {0, 1})));
  EXPECT_THAT(cast(integers({}, {200}), to_int8), IsValue(tensor<std::int8_t>(ElementType::int8, {}, {-56})));
}

TEST(Cast, PackedTypesAreReadAndWritten) {
  const Value three = integers({3}, {-8, 7, 3});
  const Value packed = cast(three, to_int4);
  EXPECT_THAT(packed, IsValue(pack(ElementType::int4, {3}, std::vector<std::uint8_t>{0x8, 0x7, 0x3})));
  EXPECT_THAT(cast(packed, to_int64), IsValue(three));
  EXPECT_THAT(cast(three, to_uint2), IsValue(pack(ElementType::uint2, {3}, std::vector<std::uint8_t>{0, 3, 3})));
  EXPECT_THAT(cast(floats({3}, {-6, 0.5, 2.4F}), to_float4e2m1),
              IsValue(pack(ElementType::float4e2m1, {3}, std::vector<std::uint8_t>{0xf, 0x1, 0x4})));
}

TEST(Cast, Float8FollowsSaturateAndTheVersion) {
  const Value values = floats({2}, {HUGE_VALF, 1000});
  const auto e4m3fn = [](const std::vector<std::uint8_t>& codes) {
    return tensor(ElementType::float8e4m3fn, {2}, codes);
  };
  const auto e5m2fnuz = [](const std::vector<std::uint8_t>& codes) {
    return tensor(ElementType::float8e5m2fnuz, {2}, codes);
  };
  EXPECT_THAT(cast(values, to_float8e4m3fn), IsValue(e4m3fn({0x7e, 0x7e})));
  EXPECT_THAT(cast(values, to_float8e4m3fn, {{"saturate", std::int64_t{0}}}), IsValue(e4m3fn({0x7f, 0x7f})));
  // 1000 becomes 1024 = 2^10: exponent 10 + 16, mantissa 0.
  EXPECT_THAT(cast(values, to_float8e5m2fnuz), IsValue(e5m2fnuz({0x7f, 0x68})));
  EXPECT_THAT(cast(values, to_float8e5m2fnuz, {}, 23), IsValue(e5m2fnuz({0x80, 0x68})));
}

TEST(Cast, Float8E8M0RoundsByRoundMode) {
  const auto e8m0 = [](std::uint8_t code) { return tensor<std::uint8_t>(ElementType::float8e8m0, {}, {code}); };
  const Value five = floats({}, {5});
  EXPECT_THAT(cast(five, to_float8e8m0), IsValue(e8m0(130)));
  EXPECT_THAT(cast(five, to_float8e8m0, {{"round_mode", std::string("down")}}), IsValue(e8m0(129)));
  EXPECT_THAT(cast(five, to_float8e8m0, {{"round_mode", std::string("nearest")}}), IsValue(e8m0(129)));
  EXPECT_THROW(cast(five, to_float8e8m0, {{"round_mode", std::string("sideways")}}), EvaluationError);
}

TEST(Cast, NumbersToStringsInPlainNotation) {
  const float infinity = HUGE_VALF;
  EXPECT_THAT(cast(floats({6}, {314.15926F, 1, 1e-5F, -infinity, infinity, std::nanf("")}), to_string_type),
              IsValue(make_strings({6}, {"314.15927", "1", "0.00001", "-INF", "INF", "NaN"})));
  EXPECT_THAT(cast(integers({2}, {-5, 1000}), to_string_type), IsValue(make_strings({2}, {"-5", "1000"})));
  EXPECT_THAT(cast(booleans({2}, {0, 1}), to_string_type), IsValue(make_strings({2}, {"0", "1"})));
  const Value tiny = tensor<double>(ElementType::float64, {}, {std::numeric_limits<double>::denorm_min()});
  EXPECT_THAT(cast(cast(tiny, to_string_type), to_double), IsValue(tiny));
}

TEST(Cast, StringsToNumbers) {
  EXPECT_THAT(cast(make_strings({6}, {"3.14", "1000", "1e-5", "1E8", "+INF", "-inf"}), to_float),
              IsValue(floats({6}, {3.14F, 1000, 1e-5F, 1e8F, HUGE_VALF, -HUGE_VALF})));
  const Value not_a_number = cast(make_strings({}, {"nAn"}), to_float);
  EXPECT_TRUE(std::isnan(not_a_number.tensor()->elements<float>()[0]));
  EXPECT_THAT(cast(make_strings({3}, {"9223372036854775807", "-5", "100.5"}), to_int64),
              IsValue(integers({3}, {9223372036854775807, -5, 100})));
  EXPECT_THAT(cast(make_strings({2}, {"1e400", "-1e-400"}), to_double),
              IsValue(tensor<double>(ElementType::float64, {2}, {HUGE_VAL, -0.0})));
  EXPECT_THAT(cast(make_strings({2}, {"0", "7"}), to_bool), IsValue(booleans({2}, {0, 1})));
}

TEST(Cast, AStringThatIsNotANumberIsRefused) {
  for (const char* text : {"Hello World!", "", " 1", "1 ", "+-1", "1.2.3", "0x10"}) {
    EXPECT_THAT(refusal({"Cast", {make_strings({}, {text})}, {{"to", to_float}}}), HasSubstr("is not a number"))
        << text;
  }
}

TEST(Cast, ToTheSameTypeSharesTheElements) {
  const Value value = floats({2}, {1, 2});
  EXPECT_EQ(cast(value, to_float).tensor()->data.bytes().data(), value.tensor()->data.bytes().data());
}

TEST(Cast, ComplexAndUnknownTypesAreRefused) {
  const Value one = floats({}, {1});
  EXPECT_THAT(refusal({"Cast", {one}, {{"to", to_complex64}}}), HasSubstr("tensor(complex64)"));
  EXPECT_THAT(refusal({"Cast", {one}, {{"to", std::int64_t{99}}}}), HasSubstr("attribute to is 99"));
  EXPECT_THAT(refusal({"Cast", {one}, {{"to", std::int64_t{-1}}}}), HasSubstr("attribute to is -1"));
  EXPECT_THAT(refusal({"Cast", {one}}), HasSubstr("attribute to is missing"));
  EXPECT_THAT(refusal({"Cast", {one}, {{"to", 1.0F}}}), HasSubstr("does not have the type"));
  EXPECT_THAT(refusal({"Cast", {Sequence{}}, {{"to", to_float}}}), HasSubstr("expected a tensor"));
}

TEST(Cast, InVersion1TheTypeIsNamed) {
  EXPECT_THAT(evaluated({"Cast", {integers({}, {3})}, {{"to", std::string("FLOAT")}}, 5}), IsValue(floats({}, {3})));
  EXPECT_EQ(inferred({"Cast", {}, {{"to", std::string("FLOAT")}}, 1}, {Type{}}), Type::tensor(ElementType::float32));
}

TEST(CastTypes, HaveTheRequestedTypeAndTheShapeOfTheOperand) {
  const Type named = Type::tensor(ElementType::int64, Shape{{-1, "N"}, {2, ""}});
  EXPECT_EQ(inferred({"Cast", {}, {{"to", to_uint8}}}, {named}), Type::tensor(ElementType::uint8, named.shape));
  EXPECT_EQ(inferred({"Cast", {}, {{"to", AttributeReference{"type"}}}}, {named}),
            Type::tensor(ElementType::undefined, named.shape));
  EXPECT_THROW(inferred({"Cast", {}, {{"to", to_complex64}}}, {named}), EvaluationError);
}

TEST(OnnxElementTypes, AreNumberedAsInOnnxProto) {
  EXPECT_EQ(onnx::element_type_of(0), ElementType::undefined);
  EXPECT_EQ(onnx::element_type_of(1), ElementType::float32);
  EXPECT_EQ(onnx::element_type_of(9), ElementType::boolean);
  EXPECT_EQ(onnx::element_type_of(15), ElementType::complex128);
  EXPECT_EQ(onnx::element_type_of(18), ElementType::float8e4m3fnuz);
  EXPECT_EQ(onnx::element_type_of(21), ElementType::uint4);
  EXPECT_EQ(onnx::element_type_of(26), ElementType::int2);
  EXPECT_EQ(onnx::element_type_of(27), ElementType::undefined);
  EXPECT_EQ(onnx::element_type_of("DOUBLE"), ElementType::float64);
}

}  // namespace
}  // namespace ifcert::kernels
