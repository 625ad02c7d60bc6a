#include <gtest/gtest.h>

#include <cmath>
#include <ifcert/elements.hpp>

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

// The numbers of TensorProto.DataType in onnx.proto.
constexpr std::int64_t of_float = 1;
constexpr std::int64_t of_int8 = 3;
constexpr std::int64_t of_int16 = 5;
constexpr std::int64_t of_float16 = 10;
constexpr std::int64_t of_float8e4m3fn = 17;

Value scalar(float element) {
  return floats({}, {element});
}

Value int8s(Dims dims, const std::vector<std::int8_t>& elements) {
  return tensor(ElementType::int8, std::move(dims), elements);
}

Value uint8s(Dims dims, const std::vector<std::uint8_t>& elements) {
  return tensor(ElementType::uint8, std::move(dims), elements);
}

Value quantized(const std::vector<Value>& operands, const Attributes& attributes = {}, int version = 25) {
  return evaluated({"QuantizeLinear", operands, attributes, version});
}

Value dequantized(const std::vector<Value>& operands, const Attributes& attributes = {}, int version = 25) {
  return evaluated({"DequantizeLinear", operands, attributes, version});
}

TEST(QuantizeLinear, RoundsHalfToEvenAndSaturates) {
  for (const int version : {10, 13, 19, 21, 23, 25}) {
    const Value x = floats({7}, {0.25F, 0.75F, -0.25F, -0.75F, 1000, -1000, 0.3F});
    EXPECT_THAT(quantized({x, scalar(0.5F), int8s({}, {0})}, {}, version),
                IsValue(int8s({7}, {0, 2, 0, -2, 127, -128, 1})));
    // The zero point is added after the rounding.
    EXPECT_THAT(quantized({x, scalar(0.5F), uint8s({}, {3})}, {}, version),
                IsValue(uint8s({7}, {3, 5, 3, 1, 255, 0, 4})));
    EXPECT_THAT(quantized({x, scalar(0.5F)}, {}, version), IsValue(uint8s({7}, {0, 2, 0, 0, 255, 0, 1})));
  }
}

TEST(QuantizeLinear, AnInfinitySaturatesAndNaNIsRefused) {
  const Value ends = floats({2}, {HUGE_VALF, -HUGE_VALF});
  EXPECT_THAT(quantized({ends, scalar(1), int8s({}, {5})}), IsValue(int8s({2}, {127, -128})));
  EXPECT_THAT(refusal({"QuantizeLinear", {scalar(std::nanf("")), scalar(1)}}), HasSubstr("a quotient is NaN"));
  EXPECT_THAT(refusal({"QuantizeLinear", {scalar(0), scalar(0)}}), HasSubstr("a quotient is NaN"));
}

TEST(QuantizeLinear, DividesInThePrecisionOfTheScale) {
  // The quotient is 2.5 in float32, which rounds to 2; in float64 it is 2.50000009.
  EXPECT_THAT(quantized({scalar(0.1F), scalar(0.04F)}), IsValue(uint8s({}, {2})));
}

TEST(QuantizeLinear, HasRangesForAllIntegers) {
  const Value x = floats({2}, {1e9F, -1e9F});
  EXPECT_THAT(quantized({x, scalar(1), tensor<std::int16_t>(ElementType::int16, {}, {0})}),
              IsValue(tensor<std::int16_t>(ElementType::int16, {2}, {32767, -32768})));
  EXPECT_THAT(quantized({x, scalar(1), tensor<std::uint16_t>(ElementType::uint16, {}, {9})}),
              IsValue(tensor<std::uint16_t>(ElementType::uint16, {2}, {65535, 0})));
  const auto packed = [](ElementType type, const Dims& dims, const std::vector<std::uint8_t>& packed_codes) {
    return Value(pack(type, dims, packed_codes));
  };
  EXPECT_THAT(quantized({x, scalar(1), packed(ElementType::int4, {}, {0})}),
              IsValue(packed(ElementType::int4, {2}, {0x7, 0x8})));
  EXPECT_THAT(quantized({x, scalar(1), packed(ElementType::uint4, {}, {0})}),
              IsValue(packed(ElementType::uint4, {2}, {0xf, 0x0})));
  EXPECT_THAT(quantized({x, scalar(1), packed(ElementType::int2, {}, {0})}),
              IsValue(packed(ElementType::int2, {2}, {0x1, 0x2})));
  EXPECT_THAT(quantized({x, scalar(1), packed(ElementType::uint2, {}, {0})}),
              IsValue(packed(ElementType::uint2, {2}, {0x3, 0x0})));
}

TEST(QuantizeLinear, HasAScaleForEachLayerOfTheAxis) {
  const Value x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Value three = floats({3}, {1, 2, 0.5F});
  const Value zeros = int8s({3}, {0, 10, -1});
  EXPECT_THAT(quantized({x, three, zeros}), IsValue(int8s({2, 3}, {1, 11, 5, 4, 12, 11})));
  EXPECT_THAT(quantized({x, three, zeros}, {{"axis", std::int64_t{-1}}}, 13),
              IsValue(int8s({2, 3}, {1, 11, 5, 4, 12, 11})));
  EXPECT_THAT(quantized({x, floats({2}, {1, 0.5F})}, {{"axis", std::int64_t{0}}}),
              IsValue(uint8s({2, 3}, {1, 2, 3, 8, 10, 12})));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, floats({2}, {1, 2})}}),
              HasSubstr("the scale has the shape [2], which does not fit the shape [2, 3] of x"));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, three}, {}, 10}), HasSubstr("the scale has rank 1; expected 0"));
  EXPECT_THAT(refusal({"QuantizeLinear", {floats({3}, {1, 2, 3}), three}}), HasSubstr("axis 1 is outside"));
}

// "When the rank of the input is 1, per-tensor quantization is applied, rendering the axis unnecessary in this
// scenario."
TEST(QuantizeLinear, OneScaleOfRank1ServesAListFromTheVersionThatSaysSo) {
  const Value one_scale = floats({1}, {0.5F});
  for (const std::int64_t length : {1, 3}) {
    const std::vector<float> ones(static_cast<std::size_t>(length), 1.0F);
    const std::vector<std::uint8_t> twos(static_cast<std::size_t>(length), 2);
    for (const int version : {21, 23, 25}) {
      EXPECT_THAT(quantized({floats({length}, ones), one_scale}, {}, version), IsValue(uint8s({length}, twos)));
    }
    for (const int version : {19, 20, 21, 23, 25}) {
      EXPECT_THAT(dequantized({uint8s({length}, twos), one_scale}, {}, version), IsValue(floats({length}, ones)));
      EXPECT_THAT(
          dequantized({uint8s({length}, twos), one_scale, uint8s({1}, {0})}, {{"axis", std::int64_t{0}}}, version),
          IsValue(floats({length}, ones)));
    }
  }
  // Before, the axis is that of a scale for each layer, and 1 by default: a list has only axis 0.
  EXPECT_THAT(refusal({"QuantizeLinear", {floats({1}, {1}), one_scale}, {}, 19}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(refusal({"DequantizeLinear", {uint8s({1}, {2}), one_scale}, {}, 18}), HasSubstr("axis 1 is outside"));
  EXPECT_THAT(dequantized({uint8s({1}, {2}), one_scale}, {{"axis", std::int64_t{0}}}, 18), IsValue(floats({1}, {1})));
}

TEST(QuantizeLinear, HasAScaleForEachBlock) {
  // Along axis 1, blocks of 2: the last one of each row has one element.
  const Value x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Attributes pairs{{"block_size", std::int64_t{2}}};
  EXPECT_THAT(quantized({x, floats({2, 2}, {1, 0.5F, 2, 0.25F})}, pairs), IsValue(uint8s({2, 3}, {1, 2, 6, 2, 2, 24})));
  EXPECT_THAT(dequantized({uint8s({3, 2}, {1, 2, 3, 4, 5, 6}), floats({2, 2}, {1, 10, 100, 1000})},
                          {{"block_size", std::int64_t{2}}, {"axis", std::int64_t{0}}}),
              IsValue(floats({3, 2}, {1, 20, 3, 40, 500, 6000})));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, floats({2, 2}, {1, 1, 1, 1})}}), HasSubstr("attribute block_size is 0"));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, floats({2, 1}, {1, 1})}, pairs}), HasSubstr("does not fit"));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, floats({2, 2}, {1, 1, 1, 1})}, pairs, 19}), HasSubstr("does not fit"));
}

TEST(QuantizeLinear, OutputDtypeReplacesTheZeroPoint) {
  const Value x = floats({2}, {-3, 300});
  EXPECT_THAT(quantized({x, scalar(1)}, {{"output_dtype", of_int8}}), IsValue(int8s({2}, {-3, 127})));
  EXPECT_THAT(quantized({x, scalar(1), int8s({}, {1})}, {{"output_dtype", of_int8}}), IsValue(int8s({2}, {-2, 127})));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, scalar(1), int8s({}, {1})}, {{"output_dtype", of_int16}}}),
              HasSubstr("attribute output_dtype is int16, but the zero point is tensor(int8)"));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, scalar(1)}, {{"output_dtype", std::int64_t{99}}}}),
              HasSubstr("attribute output_dtype is 99, which is not an element type"));
}

TEST(QuantizeLinear, WhatIsNotEvaluatedIsNamed) {
  const Value x = floats({2}, {1, 2});
  EXPECT_THAT(refusal({"QuantizeLinear", {x, scalar(1)}, {{"output_dtype", of_float8e4m3fn}}}),
              HasSubstr("the reference does not evaluate a result that is tensor(float8e4m3fn)"));
  EXPECT_THAT(refusal({"QuantizeLinear", {tensor<std::int32_t>(ElementType::int32, {}, {1}), scalar(1)}}),
              HasSubstr("the reference does not evaluate tensor(int32) and a scale that is tensor(float32)"));
  EXPECT_THAT(refusal({"QuantizeLinear", {x, scalar(1)}, {{"precision", of_float16}}}),
              HasSubstr("with precision float16"));
  EXPECT_THAT(quantized({x, scalar(1)}, {{"precision", of_float}}), IsValue(uint8s({2}, {1, 2})));
  EXPECT_THAT(refusal({"DequantizeLinear", {uint8s({}, {1}), scalar(1)}, {{"output_dtype", of_float16}}}),
              HasSubstr("the reference does not evaluate a scale that is tensor(float32) for float16"));
}

TEST(QuantizeLinear, TheZeroPointHasTheShapeOfTheScale) {
  EXPECT_THAT(refusal({"QuantizeLinear", {floats({2}, {1, 2}), scalar(1), uint8s({2}, {0, 0})}}),
              HasSubstr("the zero point has the shape [2]; expected that of the scale, []"));
  // One element may be a scalar or a list, as in the operators' own examples.
  EXPECT_THAT(quantized({floats({2}, {1, 2}), scalar(1), uint8s({1}, {3})}), IsValue(uint8s({2}, {4, 5})));
  EXPECT_THAT(dequantized({uint8s({1}, {3}), floats({1}, {0.5F}), uint8s({}, {1})}, {{"axis", std::int64_t{0}}}, 18),
              IsValue(floats({1}, {1})));
}

TEST(DequantizeLinear, SubtractsTheZeroPointAndMultiplies) {
  for (const int version : {10, 13, 19, 21, 23, 25}) {
    EXPECT_THAT(dequantized({int8s({3}, {-128, 0, 127}), scalar(0.5F), int8s({}, {-1})}, {}, version),
                IsValue(floats({3}, {-63.5F, 0.5F, 64})));
    EXPECT_THAT(dequantized({uint8s({2}, {255, 0}), scalar(2)}, {}, version), IsValue(floats({2}, {510, 0})));
    EXPECT_THAT(dequantized({tensor<std::int32_t>(ElementType::int32, {}, {-70000}), scalar(0.25F)}, {}, version),
                IsValue(scalar(-17500)));
  }
  EXPECT_THAT(dequantized({tensor<std::uint16_t>(ElementType::uint16, {}, {65535}), scalar(1),
                           tensor<std::uint16_t>(ElementType::uint16, {}, {5})}),
              IsValue(scalar(65530)));
}

TEST(DequantizeLinear, HasAScaleForEachLayerOfTheAxis) {
  EXPECT_THAT(dequantized({int8s({2, 2}, {1, 2, 3, 4}), floats({2}, {1, 10}), int8s({2}, {0, 1})}),
              IsValue(floats({2, 2}, {1, 10, 3, 30})));
  EXPECT_THAT(dequantized({int8s({2, 2}, {1, 2, 3, 4}), floats({2}, {1, 10})}, {{"axis", std::int64_t{0}}}, 13),
              IsValue(floats({2, 2}, {1, 2, 30, 40})));
}

TEST(DequantizeLinear, HasTheTypeOfTheScale) {
  const Value half = tensor<std::uint16_t>(ElementType::float16, {}, {0x3800});  // 0.5
  EXPECT_THAT(dequantized({int8s({}, {3}), half}), IsValue(tensor<std::uint16_t>(ElementType::float16, {}, {0x3e00})));
  EXPECT_THAT(quantized({tensor<std::uint16_t>(ElementType::float16, {}, {0x3e00}), half}), IsValue(uint8s({}, {3})));
  // 1.5 and -448
  const Value small = tensor<std::uint8_t>(ElementType::float8e4m3fn, {2}, {0x3c, 0xfe});
  EXPECT_THAT(dequantized({small, scalar(2)}), IsValue(floats({2}, {3, -896})));
}

TEST(DequantizeLinear, AZeroPointOfInt32IsZero) {
  const auto int32 = [](std::int32_t element) { return tensor<std::int32_t>(ElementType::int32, {}, {element}); };
  EXPECT_THAT(dequantized({int32(7), scalar(2), int32(0)}), IsValue(scalar(14)));
  EXPECT_THAT(refusal({"DequantizeLinear", {int32(7), scalar(2), int32(1)}}), HasSubstr("is not 0"));
}

TEST(DequantizeLinear, OfOtherTypesIsRefused) {
  EXPECT_THAT(refusal({"DequantizeLinear", {integers({}, {7}), scalar(2)}}),
              HasSubstr("operand 0 is tensor(int64), which it does not accept"));
  EXPECT_THAT(refusal({"DequantizeLinear", {int8s({}, {7}), scalar(2), uint8s({}, {0})}}),
              HasSubstr("operand 2 is tensor(uint8), but operand 0 is tensor(int8)"));
}

TEST(QuantizeLinearTypes, AreThoseOfTheZeroPointOrUint8) {
  const Type x = Type::tensor(ElementType::float32, Shape{{-1, "N"}, {2, ""}});
  const Type scale = float_type({});
  EXPECT_EQ(inferred({"QuantizeLinear"}, {x, scale}), Type::tensor(ElementType::uint8, x.shape));
  EXPECT_EQ(inferred({"QuantizeLinear"}, {x, scale, Type::tensor(ElementType::int8)}),
            Type::tensor(ElementType::int8, x.shape));
  EXPECT_EQ(inferred({"QuantizeLinear"}, {x, scale, Type{}}), Type::tensor(ElementType::undefined, x.shape));
  EXPECT_EQ(inferred({"QuantizeLinear", {}, {{"output_dtype", of_int16}}}, {x, scale}),
            Type::tensor(ElementType::int16, x.shape));
  EXPECT_EQ(inferred({"QuantizeLinear", {}, {{"output_dtype", AttributeReference{"type"}}}}, {x, scale}),
            Type::tensor(ElementType::undefined, x.shape));
}

TEST(DequantizeLinearTypes, AreThoseOfTheScale) {
  const Type x = Type::tensor(ElementType::int8, Shape{{-1, "N"}, {2, ""}});
  EXPECT_EQ(inferred({"DequantizeLinear"}, {x, float_type({})}), Type::tensor(ElementType::float32, x.shape));
  EXPECT_EQ(inferred({"DequantizeLinear"}, {x, Type{}}), Type::tensor(ElementType::undefined, x.shape));
  EXPECT_EQ(inferred({"DequantizeLinear", {}, {{"output_dtype", of_float16}}}, {x, float_type({})}),
            Type::tensor(ElementType::float16, x.shape));
}

// What a run refuses whatever the values are is known before it.
TEST(QuantizeLinearTypes, AZeroPointOfAnotherShapeThanTheScaleIsAMisfit) {
  const Type list = Type::tensor(ElementType::uint8, Shape{{2, ""}});
  const Type open_list = Type::tensor(ElementType::uint8, Shape{{-1, ""}});
  const Type one = Type::tensor(ElementType::uint8, Shape{{1, ""}});
  const Type single = Type::tensor(ElementType::uint8, Shape{});
  const Attributes along_0{{"axis", std::int64_t{0}}};
  for (const int version : {13, 18, 19, 21, 23, 25}) {
    for (const auto& [op, x] : {std::pair("QuantizeLinear", float_type({2})), std::pair("DequantizeLinear", list)}) {
      const Call call{op, {}, along_0, version};
      EXPECT_EQ(misfit_of(call, {x, float_type({2}), list}), "");
      EXPECT_EQ(misfit_of(call, {x, float_type({2}), open_list}), "");
      EXPECT_THAT(misfit_of(call, {x, float_type({2}), single}), HasSubstr("the zero point has the shape []"));
      EXPECT_THAT(misfit_of(call, {x, float_type({2}), one}), HasSubstr("the zero point has the shape [1]"));
      EXPECT_THAT(misfit_of(call, {x, float_type({}), list}), HasSubstr("expected that of the scale, []"));
      EXPECT_EQ(misfit_of(call, {x, float_type({}), one}), "");
    }
  }
  EXPECT_THAT(misfit_of({"DequantizeLinear", {}, {}, 10}, {list, float_type({}), list}), HasSubstr("zero point"));
}

TEST(QuantizeLinearTypes, OperandsThatNoVersionAcceptsAreRefused) {
  const Type integer = Type::tensor(ElementType::int64, Shape{});
  const Type byte = Type::tensor(ElementType::uint8, Shape{});
  const Type signed_byte = Type::tensor(ElementType::int8, Shape{});
  EXPECT_THROW(inferred({"DequantizeLinear"}, {integer, float_type({})}), EvaluationError);
  EXPECT_THROW(inferred({"DequantizeLinear"}, {byte, integer}), EvaluationError);
  EXPECT_THROW(inferred({"DequantizeLinear"}, {byte, float_type({}), signed_byte}), EvaluationError);
  EXPECT_THROW(inferred({"QuantizeLinear"}, {byte, float_type({})}), EvaluationError);
  EXPECT_THROW(inferred({"QuantizeLinear"}, {float_type({}), integer}), EvaluationError);
  EXPECT_THROW(inferred({"QuantizeLinear"}, {float_type({}), float_type({}), integer}), EvaluationError);
  EXPECT_THROW(inferred({"QuantizeLinear", {}, {{"output_dtype", of_int16}}}, {float_type({}), float_type({}), byte}),
               EvaluationError);
}

}  // namespace
}  // namespace ifcert::kernels
