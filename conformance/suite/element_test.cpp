#include "conformance/suite/element.hpp"

#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

using namespace std::string_literals;

TEST(Element, HasTheWidthOfItsType) {
  EXPECT_EQ(element_bits("bool"), 8U);
  EXPECT_EQ(element_bits("uint2"), 2U);
  EXPECT_EQ(element_bits("float4e2m1"), 4U);
  EXPECT_EQ(element_bits("complex128"), 128U);
  EXPECT_EQ(element_bits("string"), std::nullopt);
  EXPECT_EQ(element_bits("float33"), std::nullopt);
}

TEST(Element, IsReadLittleEndianWithItsSign) {
  EXPECT_EQ(element_text("int16", "\x01\x00\xfe\xff"s, 1), "-2");
  EXPECT_EQ(element_text("uint16", "\x01\x00\xfe\xff"s, 1), "65534");
  EXPECT_EQ(element_text("int64", "\xff\xff\xff\xff\xff\xff\xff\xff"s, 0), "-1");
  EXPECT_EQ(element_text("uint64", "\xff\xff\xff\xff\xff\xff\xff\xff"s, 0), "18446744073709551615");
}

TEST(Element, SmallerThanAByteIsPackedLowestBitsFirst) {
  EXPECT_EQ(element_text("uint4", "\x21\x03"s, 0), "1");
  EXPECT_EQ(element_text("uint4", "\x21\x03"s, 1), "2");
  EXPECT_EQ(element_text("uint4", "\x21\x03"s, 2), "3");
  EXPECT_EQ(element_text("int4", "\xf8"s, 0), "-8");
  EXPECT_EQ(element_text("int4", "\xf8"s, 1), "-1");
  EXPECT_EQ(element_text("int2", "\x1b"s, 0), "-1");
  EXPECT_EQ(element_text("uint2", "\x1b"s, 3), "0");
}

TEST(Element, KeepsTheSignOfZeroAndTheBitsOfNan) {
  EXPECT_EQ(element_text("float32", "\x00\x00\x00\x80"s, 0), "-0");
  EXPECT_EQ(element_text("float32", "\x01\x00\xc0\x7f"s, 0), "nan (0x7fc00001)");
  EXPECT_EQ(element_text("float64", "\x00\x00\x00\x00\x00\x00\xf0\xff"s, 0), "-inf");
  EXPECT_EQ(element_text("bool", "\x02"s, 0), "0x02");
}

TEST(Element, OfHalfPrecisionIsExact) {
  EXPECT_EQ(element_text("float16", "\x00\x3e"s, 0), "1.5");
  EXPECT_EQ(element_text("float16", "\x01\x00"s, 0), "5.960464477539063e-08");
  EXPECT_EQ(element_text("bfloat16", "\xc0\xbf"s, 0), "-1.5");
  EXPECT_EQ(element_text("float16", "\x00\x7c"s, 0), "inf");
}

TEST(Element, OfEightAndFourBitsFollowsItsFormat) {
  EXPECT_EQ(element_text("float8e4m3fn", "\x7e"s, 0), "448");
  EXPECT_EQ(element_text("float8e4m3fn", "\x7f"s, 0), "nan (0x7f)");
  EXPECT_EQ(element_text("float8e4m3fnuz", "\x7f"s, 0), "240");
  EXPECT_EQ(element_text("float8e4m3fnuz", "\x80"s, 0), "nan (0x80)");
  EXPECT_EQ(element_text("float8e5m2", "\x7b"s, 0), "57344");
  EXPECT_EQ(element_text("float8e5m2", "\x7c"s, 0), "inf");
  EXPECT_EQ(element_text("float8e5m2fnuz", "\x7f"s, 0), "57344");
  EXPECT_EQ(element_text("float8e8m0", "\x80"s, 0), "2");
  EXPECT_EQ(element_text("float8e8m0", "\xff"s, 0), "nan (0xff)");
  EXPECT_EQ(element_text("float4e2m1", "\xf7"s, 0), "6");
  EXPECT_EQ(element_text("float4e2m1", "\xf7"s, 1), "-6");
}

TEST(Element, OfComplexTypeHasTwoParts) {
  EXPECT_EQ(element_text("complex64", "\x00\x00\x80\x3f\x00\x00\x00\x80"s, 0), "(1, -0)");
}

}  // namespace
}  // namespace ifcert::conformance
