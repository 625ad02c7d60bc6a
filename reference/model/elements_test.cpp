#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <ifcert/elements.hpp>
#include <limits>
#include <stdexcept>

namespace ifcert {
namespace {

using testing::ElementsAre;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
Tensor row_of(ElementType type, std::vector<T> elements) {
  const auto size = static_cast<std::int64_t>(elements.size());
  return make_tensor<T>(type, {size}, std::span<const T>(elements));
}

// A tensor of one element, written from a number.
Tensor written(ElementType type, const Number& number, const Rounding& rounding = {}) {
  std::array<std::byte, 8> bytes{};
  write_number(bytes, type, 0, number, rounding);
  return {type, {1}, Buffer::copy_of(bytes), {}};
}

Number reread(ElementType type, const Number& number) {
  return read_number(written(type, number), 0);
}

Number integer(std::int64_t value) {
  return value;
}
Number natural(std::uint64_t value) {
  return value;
}

TEST(PackedTypes, TheFirstElementIsInTheLowestBits) {
  // ONNX, "4 bit integer types": pack(x, y) is y << 4 | x. "2 bit integer types": x3 << 6 | x2 << 4 | x1 << 2 | x0.
  const Tensor four = pack(ElementType::uint4, {3}, std::array<std::uint8_t, 3>{0x1, 0xf, 0x5});
  EXPECT_THAT(four.elements<std::uint8_t>(), ElementsAre(0xf1, 0x05));
  const Tensor two = pack(ElementType::int2, {5}, std::array<std::uint8_t, 5>{3, 0, 1, 2, 1});
  EXPECT_THAT(two.elements<std::uint8_t>(), ElementsAre(0b10010011, 0b00000001));
}

TEST(PackedTypes, EveryByteUnpacksToItsCodesAndBack) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::array<std::uint8_t, 1> bytes{static_cast<std::uint8_t>(byte)};
    const Tensor four{ElementType::int4, {2}, Buffer::copy_of(std::as_bytes(std::span(bytes))), {}};
    EXPECT_THAT(unpack(four), ElementsAre(byte % 16, byte / 16));
    EXPECT_TRUE(same_bits(pack(ElementType::int4, {2}, unpack(four)), four));
    const Tensor two{ElementType::uint2, {4}, Buffer::copy_of(std::as_bytes(std::span(bytes))), {}};
    EXPECT_THAT(unpack(two), ElementsAre(byte % 4, byte / 4 % 4, byte / 16 % 4, byte / 64));
    EXPECT_TRUE(same_bits(pack(ElementType::uint2, {4}, unpack(two)), two));
  }
}

TEST(PackedTypes, WritingOneElementLeavesItsNeighbours) {
  std::array<std::byte, 2> bytes{std::byte{0xff}, std::byte{0xff}};
  set_packed_code(bytes, 4, 1, 0x2);
  EXPECT_EQ(bytes[0], std::byte{0x2f});
  set_packed_code(bytes, 2, 6, 0x4);  // only the low two bits count
  EXPECT_EQ(bytes[1], std::byte{0xcf});
}

TEST(PackedTypes, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(pack(ElementType::int4, {3}, std::array<std::uint8_t, 2>{}), std::invalid_argument);
  EXPECT_THROW(pack(ElementType::int8, {0}, {}), std::invalid_argument);
  EXPECT_THROW(unpack(row_of<float>(ElementType::float32, {1})), std::invalid_argument);
  EXPECT_THROW(packed_code({}, 4, 0), std::out_of_range);
}

TEST(Numbers, SignedPackedIntegersAreTwosComplement) {
  const Tensor four = pack(ElementType::int4, {3}, std::array<std::uint8_t, 3>{0x7, 0x8, 0xf});
  EXPECT_EQ(read_number(four, 0), integer(7));
  EXPECT_EQ(read_number(four, 1), integer(-8));
  EXPECT_EQ(read_number(four, 2), integer(-1));
  const Tensor two = pack(ElementType::int2, {4}, std::array<std::uint8_t, 4>{0, 1, 2, 3});
  EXPECT_EQ(read_number(two, 1), integer(1));
  EXPECT_EQ(read_number(two, 2), integer(-2));
  EXPECT_EQ(read_number(two, 3), integer(-1));
}

TEST(Numbers, EveryIntegerTypeKeepsItsExtremes) {
  EXPECT_EQ(reread(ElementType::int8, integer(-128)), integer(-128));
  EXPECT_EQ(reread(ElementType::int16, integer(-32768)), integer(-32768));
  EXPECT_EQ(reread(ElementType::int32, integer(-2147483648)), integer(-2147483648));
  EXPECT_EQ(reread(ElementType::int64, integer(std::numeric_limits<std::int64_t>::min())),
            integer(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(reread(ElementType::uint2, natural(3)), natural(3));
  EXPECT_EQ(reread(ElementType::uint4, natural(15)), natural(15));
  EXPECT_EQ(reread(ElementType::uint8, natural(255)), natural(255));
  EXPECT_EQ(reread(ElementType::uint16, natural(65535)), natural(65535));
  EXPECT_EQ(reread(ElementType::uint32, natural(4294967295)), natural(4294967295));
  EXPECT_EQ(reread(ElementType::uint64, natural(~std::uint64_t{0})), natural(~std::uint64_t{0}));
}

TEST(Numbers, AnIntegerOutOfRangeLosesItsHigherBits) {
  EXPECT_EQ(reread(ElementType::int8, integer(200)), integer(-56));  // the example in Cast's text
  EXPECT_EQ(reread(ElementType::uint8, integer(-1)), natural(255));
  EXPECT_EQ(reread(ElementType::int4, integer(24)), integer(-8));
  EXPECT_EQ(reread(ElementType::uint2, integer(-2)), natural(2));
  EXPECT_EQ(reread(ElementType::int64, natural(~std::uint64_t{0})), integer(-1));
}

TEST(Numbers, FloatingPointIsTruncatedToAnInteger) {
  EXPECT_EQ(reread(ElementType::int32, 2.9), integer(2));
  EXPECT_EQ(reread(ElementType::int32, -2.9), integer(-2));
  EXPECT_EQ(reread(ElementType::uint8, 255.5), natural(255));
}

TEST(Numbers, FloatingPointIsRoundedToAPackedInteger) {
  // ONNX, "4 bit integer types", Cast: "rounding to the nearest-integer (with ties to even) … and truncating".
  EXPECT_EQ(reread(ElementType::int4, 2.5), integer(2));
  EXPECT_EQ(reread(ElementType::int4, 3.5), integer(4));
  EXPECT_EQ(reread(ElementType::int4, -0.6), integer(-1));
  EXPECT_EQ(reread(ElementType::uint2, 1.5), natural(2));
}

TEST(Numbers, FloatingPointOutOfRangeBecomesTheNearestInteger) {
  EXPECT_EQ(reread(ElementType::int32, 1e10), integer(2147483647));
  EXPECT_EQ(reread(ElementType::int64, 9223372036854775808.0), integer(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(reread(ElementType::int64, -infinite), integer(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(reread(ElementType::uint16, -5.0), natural(0));
  EXPECT_EQ(reread(ElementType::uint64, infinite), natural(~std::uint64_t{0}));
  EXPECT_EQ(reread(ElementType::int32, not_a_number), integer(0));
  EXPECT_EQ(reread(ElementType::int64, not_a_number), integer(0));
  EXPECT_EQ(reread(ElementType::uint4, not_a_number), natural(0));
}

TEST(Numbers, OnlyZeroIsFalse) {
  EXPECT_EQ(reread(ElementType::boolean, 0.0), natural(0));
  EXPECT_EQ(reread(ElementType::boolean, -0.0), natural(0));
  EXPECT_EQ(reread(ElementType::boolean, not_a_number), natural(1));
  EXPECT_EQ(reread(ElementType::boolean, 0.1), natural(1));
  EXPECT_EQ(reread(ElementType::boolean, integer(256)), natural(1));
}

TEST(Numbers, IntegersAreRoundedOnceToFloatingPoint) {
  const std::uint64_t just_above_middle = (std::uint64_t{1} << 62) + (std::uint64_t{1} << 54) + 1;
  EXPECT_EQ(reread(ElementType::bfloat16, natural(just_above_middle)), Number(0x1.02p62));
  EXPECT_EQ(reread(ElementType::bfloat16, integer(-static_cast<std::int64_t>(just_above_middle))), Number(-0x1.02p62));
  EXPECT_EQ(reread(ElementType::float32, natural((1U << 24) + 1)), Number(16777216.0));
  EXPECT_EQ(reread(ElementType::float64, natural(~std::uint64_t{0})), Number(0x1p64));
  EXPECT_EQ(reread(ElementType::float16, integer(-65536)), Number(-infinite));
  EXPECT_EQ(reread(ElementType::float8e4m3fn, integer(1000)), Number(448.0));
  EXPECT_EQ(reread(ElementType::float4e2m1, integer(5)), Number(4.0));
}

TEST(Numbers, OutOfRangeOfAFloatIsInfinity) {
  EXPECT_EQ(reread(ElementType::float32, 1e300), Number(infinite));
  EXPECT_EQ(reread(ElementType::float32, -1e300), Number(-infinite));
}

TEST(Numbers, ComplexStringAndMissingElementsAreRefused) {
  EXPECT_THROW(read_number(make_strings({1}, {"1"}), 0), std::invalid_argument);
  EXPECT_THROW(written(ElementType::complex64, 1.0), std::invalid_argument);
  EXPECT_THROW(read_number(row_of<float>(ElementType::float32, {1}), 1), std::out_of_range);
  EXPECT_THROW(element_text(make_strings({1}, {"1"}), 1), std::out_of_range);
}

TEST(ElementText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(element_text(row_of<float>(ElementType::float32, {0.1F}), 0), "0.1");
  EXPECT_EQ(element_text(row_of<double>(ElementType::float64, {0.1}), 0), "0.1");
  EXPECT_EQ(element_text(row_of<float>(ElementType::float32, {-0.0F}), 0), "-0");
  EXPECT_EQ(element_text(row_of<double>(ElementType::float64, {-infinite}), 0), "-inf");
  EXPECT_EQ(element_text(row_of<std::uint16_t>(ElementType::float16, {0x2e66}), 0), "0.1");
  EXPECT_EQ(element_text(row_of<std::uint16_t>(ElementType::float16, {0x7bff}), 0), "65500");
  EXPECT_EQ(element_text(row_of<std::uint16_t>(ElementType::bfloat16, {0x3f80}), 0), "1");
  EXPECT_EQ(element_text(row_of<std::uint8_t>(ElementType::float8e4m3fn, {0x7f}), 0), "nan");
  EXPECT_EQ(element_text(row_of<std::uint8_t>(ElementType::float8e5m2, {0x7c}), 0), "inf");
  EXPECT_EQ(element_text(pack(ElementType::float4e2m1, {1}, std::array<std::uint8_t, 1>{0xf}), 0), "-6");
}

TEST(ElementText, OfIntegersBooleansAndComplexNumbers) {
  EXPECT_EQ(element_text(row_of<std::int8_t>(ElementType::int8, {-5}), 0), "-5");
  EXPECT_EQ(element_text(row_of<std::uint64_t>(ElementType::uint64, {~std::uint64_t{0}}), 0), "18446744073709551615");
  EXPECT_EQ(element_text(pack(ElementType::int4, {2}, std::array<std::uint8_t, 2>{0, 0xf}), 1), "-1");
  EXPECT_EQ(element_text(row_of<std::uint8_t>(ElementType::boolean, {0, 1}), 0), "false");
  EXPECT_EQ(element_text(row_of<std::uint8_t>(ElementType::boolean, {0, 1}), 1), "true");
  EXPECT_EQ(element_text(row_of<std::complex<float>>(ElementType::complex64, {{1.5F, -2}}), 0), "(1.5, -2)");
  EXPECT_EQ(element_text(row_of<std::complex<double>>(ElementType::complex128, {{0, 0}, {0.1, 1}}), 1), "(0.1, 1)");
}

TEST(ElementText, OfStringsIsQuotedAndEscaped) {
  const Tensor strings = make_strings({3}, {"plain", "a\"b\\c\n", std::string("\0\xc3\xa9", 3)});
  EXPECT_EQ(element_text(strings, 0), "\"plain\"");
  EXPECT_EQ(element_text(strings, 1), "\"a\\\"b\\\\c\\x0a\"");
  EXPECT_EQ(element_text(strings, 2), "\"\\x00\\xc3\\xa9\"");
}

}  // namespace
}  // namespace ifcert
