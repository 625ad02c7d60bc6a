#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <ifcert/small_floats.hpp>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace ifcert {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Rounding saturating{};
constexpr Rounding not_saturating{.saturate = false};

// The formulas of ONNX's "Float stored in 8 bits": sign, exponent and mantissa of a code as numbers.
double formula(std::uint32_t code, int exponent_bits, int mantissa_bits, int bias) {
  const double sign = (code >> (exponent_bits + mantissa_bits)) % 2 == 1 ? -1.0 : 1.0;
  const int exponent = static_cast<int>((code >> mantissa_bits) % (1U << exponent_bits));
  const double fraction = static_cast<double>(code % (1U << mantissa_bits)) / std::pow(2.0, mantissa_bits);
  return exponent == 0 ? sign * std::pow(2.0, 1 - bias) * fraction
                       : sign * std::pow(2.0, exponent - bias) * (1 + fraction);
}

struct FloatFormat {
  ElementType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  std::uint32_t first_not_finite;  // of the codes without sign
  double largest;
  double smallest;
};

// Largest and smallest as the same document's tables and IEEE 754 print them.
const std::array<FloatFormat, 7> formats{{
    {ElementType::float8e4m3fn, 4, 3, 7, 0x7f, 448, std::pow(2.0, -9)},
    {ElementType::float8e4m3fnuz, 4, 3, 8, 0x80, 240, std::pow(2.0, -10)},
    {ElementType::float8e5m2, 5, 2, 15, 0x7c, 57344, std::pow(2.0, -16)},
    {ElementType::float8e5m2fnuz, 5, 2, 16, 0x80, 57344, std::pow(2.0, -17)},
    {ElementType::float4e2m1, 2, 1, 1, 0x8, 6, 0.5},
    {ElementType::float16, 5, 10, 15, 0x7c00, 65504, std::pow(2.0, -24)},
    {ElementType::bfloat16, 8, 7, 127, 0x7f80, 0x1.fep127, std::pow(2.0, -133)},
}};

bool is_fnuz(const FloatFormat& format) {
  return format.type == ElementType::float8e4m3fnuz || format.type == ElementType::float8e5m2fnuz;
}

class SmallFloat : public testing::TestWithParam<FloatFormat> {};

TEST_P(SmallFloat, EveryFiniteCodeIsTheNumberOfTheFormulaAndComesBack) {
  const FloatFormat& format = GetParam();
  const std::uint32_t sign = 1U << (format.exponent_bits + format.mantissa_bits);
  for (std::uint32_t code = 0; code < format.first_not_finite; ++code) {
    const double value = formula(code, format.exponent_bits, format.mantissa_bits, format.bias);
    EXPECT_EQ(decode_small_float(format.type, code), value) << code;
    EXPECT_EQ(encode_small_float(format.type, value), code) << value;
    if (is_fnuz(format) && code == 0) continue;
    EXPECT_EQ(decode_small_float(format.type, sign | code), -value) << code;
    EXPECT_TRUE(std::signbit(decode_small_float(format.type, sign | code)));
    EXPECT_EQ(encode_small_float(format.type, -value), sign | code) << -value;
  }
}

TEST_P(SmallFloat, LargestAndSmallestAreThoseOfTheTables) {
  const FloatFormat& format = GetParam();
  EXPECT_EQ(decode_small_float(format.type, format.first_not_finite - 1), format.largest);
  EXPECT_EQ(decode_small_float(format.type, 1), format.smallest);
}

TEST_P(SmallFloat, RoundsToTheNearerNeighbourAndInTheMiddleToTheEvenOne) {
  const FloatFormat& format = GetParam();
  for (std::uint32_t code = 0; code + 1 < format.first_not_finite; ++code) {
    const double below = formula(code, format.exponent_bits, format.mantissa_bits, format.bias);
    const double above = formula(code + 1, format.exponent_bits, format.mantissa_bits, format.bias);
    const double middle = below + (above - below) / 2;
    EXPECT_EQ(encode_small_float(format.type, middle), code % 2 == 0 ? code : code + 1) << middle;
    EXPECT_EQ(encode_small_float(format.type, std::nextafter(middle, 0.0)), code) << middle;
    EXPECT_EQ(encode_small_float(format.type, std::nextafter(middle, infinity)), code + 1) << middle;
  }
}

TEST_P(SmallFloat, TheTiniestDoublesAreZero) {
  EXPECT_EQ(encode_small_float(GetParam().type, std::numeric_limits<double>::denorm_min()), 0U);
  EXPECT_EQ(encode_small_float(GetParam().type, std::numeric_limits<double>::min()), 0U);
}

TEST_P(SmallFloat, ACodeThatIsNotAFiniteNumberComesBack) {
  const FloatFormat& format = GetParam();
  const std::uint32_t sign = 1U << (format.exponent_bits + format.mantissa_bits);
  const std::uint32_t end = is_fnuz(format) ? format.first_not_finite + 1 : sign;
  for (std::uint32_t code = format.first_not_finite; code < end; ++code) {
    EXPECT_FALSE(std::isfinite(decode_small_float(format.type, code))) << code;
    EXPECT_EQ(encode_small_float(format.type, decode_small_float(format.type, code), not_saturating), code);
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, SmallFloat, testing::ValuesIn(formats),
                         [](const auto& instance) { return std::string(name_of(instance.param.type)); });

TEST(Float4, HasTheSixteenNumbersOfItsTable) {
  const std::array<double, 8> numbers{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (std::uint32_t code = 0; code < 8; ++code) {
    EXPECT_EQ(decode_small_float(ElementType::float4e2m1, code), numbers.at(code));
    EXPECT_EQ(decode_small_float(ElementType::float4e2m1, code + 8), -numbers.at(code));
  }
}

TEST(Float4, OutOfRangeIsSixAndNaNIsSix) {
  for (const double large : {6.5, 7.0, 1e300, infinity}) {
    EXPECT_EQ(encode_small_float(ElementType::float4e2m1, large), 0x7U);
    EXPECT_EQ(encode_small_float(ElementType::float4e2m1, -large, not_saturating), 0xfU);
  }
  EXPECT_EQ(encode_small_float(ElementType::float4e2m1, nan), 0x7U);
}

struct Half {
  ElementType type;
  int significant_bits;
  int least_exponent;  // of a normal number
};

constexpr std::array<Half, 2> halves{{{ElementType::float16, 11, -14}, {ElementType::bfloat16, 8, -126}}};

TEST(Halves, EveryCodeComesBackNaNsToo) {
  for (const Half& half : halves) {
    for (std::uint32_t code = 0; code < 0x10000; ++code) {
      EXPECT_EQ(encode_small_float(half.type, decode_small_float(half.type, code)), code) << name_of(half.type);
    }
  }
}

TEST(Halves, RandomDoublesAreRoundedOnceToTheNearest) {
  std::mt19937_64 random(18);  // NOLINT(bugprone-random-generator-seed): the same values in every run
  for (const Half& half : halves) {
    for (int i = 0; i < 200'000; ++i) {
      // Exponents from below the subnormals to above the largest number; every fourth one near a middle.
      const double scale = std::ldexp(1.0, static_cast<int>(random() % 320) - 180);
      double value = static_cast<double>(random()) * 0x1p-64 * scale;
      if (i % 4 == 0)
        value = std::nextafter(static_cast<double>(random() % 4096 + 1) * scale, i % 8 == 0 ? 0 : infinity);
      const int exponent = std::max(std::ilogb(value), half.least_exponent);
      const double unit = std::ldexp(1.0, exponent - half.significant_bits + 1);
      double expected = std::nearbyint(value / unit) * unit;
      const int largest_exponent = 1 - half.least_exponent;
      if (expected >= std::ldexp(1.0, largest_exponent + 1)) expected = infinity;
      const std::uint32_t code = encode_small_float(half.type, value);
      ASSERT_EQ(decode_small_float(half.type, code), expected) << name_of(half.type) << " of " << value;
      ASSERT_EQ(encode_small_float(half.type, -value), code | 0x8000U);
    }
  }
}

TEST(Halves, ANaNKeepsItsSignAndTheUpperBitsOfItsPayload) {
  const auto nan_of = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
  EXPECT_EQ(encode_small_float(ElementType::float16, nan_of(0x7ff0040000000000)), 0x7c01U);
  EXPECT_EQ(encode_small_float(ElementType::float16, nan_of(0xfff8040000000000)), 0xfe01U);
  EXPECT_EQ(encode_small_float(ElementType::bfloat16, nan_of(0x7ff4000000000000)), 0x7fa0U);
  EXPECT_EQ(encode_small_float(ElementType::bfloat16, nan_of(0xfff0000000000001)), 0xffc0U);  // none of them: quiet
}

TEST(Bfloat16, IsTheUpperHalfOfAFloat32) {
  for (std::uint32_t code = 0; code < 0x7f80; ++code) {
    EXPECT_EQ(decode_small_float(ElementType::bfloat16, code), double{std::bit_cast<float>(code << 16)});
  }
}

TEST(Float16, OutOfRangeIsInfinityWhetherSaturatingOrNot) {
  for (const Rounding& rounding : {saturating, not_saturating}) {
    EXPECT_EQ(encode_small_float(ElementType::float16, 65519.999, rounding), 0x7bffU);
    EXPECT_EQ(encode_small_float(ElementType::float16, 65520, rounding), 0x7c00U);
    EXPECT_EQ(encode_small_float(ElementType::float16, -1e9, rounding), 0xfc00U);
    EXPECT_EQ(encode_small_float(ElementType::bfloat16, 3.4e38, rounding), 0x7f80U);
  }
}

struct Special {
  ElementType type;
  std::uint32_t largest;
  std::uint32_t not_saturated;           // what an infinity and a number out of range become without saturation
  std::uint32_t negative_not_saturated;  // the same for a negative one
};

// The two tables of ONNX's Cast-24: FLT_MAX, and NaN, Inf, -NaN, -Inf.
const std::array<Special, 4> specials{{
    {ElementType::float8e4m3fn, 0x7e, 0x7f, 0xff},
    {ElementType::float8e4m3fnuz, 0x7f, 0x80, 0x80},
    {ElementType::float8e5m2, 0x7b, 0x7c, 0xfc},
    {ElementType::float8e5m2fnuz, 0x7f, 0x80, 0x80},
}};

TEST(Float8, OutOfRangeFollowsTheTablesOfCast) {
  for (const Special& row : specials) {
    for (const double large : {infinity, 1e300, 65536.0}) {
      EXPECT_EQ(encode_small_float(row.type, large), row.largest) << name_of(row.type) << large;
      EXPECT_EQ(encode_small_float(row.type, -large), row.largest | 0x80) << name_of(row.type) << large;
      EXPECT_EQ(encode_small_float(row.type, large, not_saturating), row.not_saturated) << name_of(row.type) << large;
      EXPECT_EQ(encode_small_float(row.type, -large, not_saturating), row.negative_not_saturated) << name_of(row.type);
    }
  }
}

TEST(Float8, OutOfRangeIsJudgedAfterRoundingToTheMantissa) {
  // 464 is between 448 and 480, which the type does not have; 448 is the even one. 248 is between 240 and 256: 256.
  EXPECT_EQ(encode_small_float(ElementType::float8e4m3fn, 464, not_saturating), 0x7eU);
  EXPECT_EQ(encode_small_float(ElementType::float8e4m3fn, std::nextafter(464, 500), not_saturating), 0x7fU);
  EXPECT_EQ(encode_small_float(ElementType::float8e4m3fnuz, std::nextafter(248, 0), not_saturating), 0x7fU);
  EXPECT_EQ(encode_small_float(ElementType::float8e4m3fnuz, 248, not_saturating), 0x80U);
  EXPECT_EQ(encode_small_float(ElementType::float8e5m2, std::nextafter(61440, 0), not_saturating), 0x7bU);
  EXPECT_EQ(encode_small_float(ElementType::float8e5m2, 61440, not_saturating), 0x7cU);
}

TEST(Float8, UntilCast23AnInfinityWasNaNInTheTypesWithoutNegativeZero) {
  const Rounding before{.infinity_saturates_fnuz = false};
  EXPECT_EQ(encode_small_float(ElementType::float8e4m3fnuz, infinity, before), 0x80U);
  EXPECT_EQ(encode_small_float(ElementType::float8e5m2fnuz, -infinity, before), 0x80U);
  EXPECT_EQ(encode_small_float(ElementType::float8e5m2fnuz, 1e9, before), 0x7fU);
  EXPECT_EQ(encode_small_float(ElementType::float8e4m3fn, infinity, before), 0x7eU);
  EXPECT_EQ(encode_small_float(ElementType::float8e5m2, infinity, before), 0x7bU);
}

TEST(Float8, ZerosAndNaNs) {
  for (const Rounding& rounding : {saturating, not_saturating}) {
    EXPECT_EQ(encode_small_float(ElementType::float8e4m3fn, -0.0, rounding), 0x80U);
    EXPECT_EQ(encode_small_float(ElementType::float8e5m2, -0.0, rounding), 0x80U);
    EXPECT_EQ(encode_small_float(ElementType::float8e4m3fnuz, -0.0, rounding), 0U);
    EXPECT_EQ(encode_small_float(ElementType::float8e5m2fnuz, -1e-30, rounding), 0U);
    EXPECT_EQ(encode_small_float(ElementType::float8e4m3fn, nan, rounding), 0x7fU);
    EXPECT_EQ(encode_small_float(ElementType::float8e4m3fn, -nan, rounding), 0xffU);
    EXPECT_EQ(encode_small_float(ElementType::float8e4m3fnuz, -nan, rounding), 0x80U);
    EXPECT_EQ(encode_small_float(ElementType::float8e5m2, nan, rounding), 0x7eU);
  }
}

TEST(Float8E8M0, EveryCodeButOneIsAPowerOfTwo) {
  for (std::uint32_t code = 0; code < 0xff; ++code) {
    const double value = std::pow(2.0, static_cast<double>(code) - 127);
    EXPECT_EQ(decode_small_float(ElementType::float8e8m0, code), value);
    for (const auto mode : {Rounding::E8m0::up, Rounding::E8m0::down, Rounding::E8m0::nearest}) {
      EXPECT_EQ(encode_small_float(ElementType::float8e8m0, value, {.saturate = false, .e8m0 = mode}), code);
    }
  }
  EXPECT_TRUE(std::isnan(decode_small_float(ElementType::float8e8m0, 0xff)));
}

TEST(Float8E8M0, RoundsUpDownOrToTheNearestWithTiesUp) {
  const auto encoded = [](double value, Rounding::E8m0 mode) {
    return decode_small_float(ElementType::float8e8m0,
                              encode_small_float(ElementType::float8e8m0, value, {.e8m0 = mode}));
  };
  for (const double value : {4.0001, 5.0, 5.9999, 6.0, 7.0}) {
    EXPECT_EQ(encoded(value, Rounding::E8m0::up), 8) << value;
    EXPECT_EQ(encoded(value, Rounding::E8m0::down), 4) << value;
    EXPECT_EQ(encoded(value, Rounding::E8m0::nearest), value < 6 ? 4 : 8) << value;
  }
}

TEST(Float8E8M0, SpecialValuesAreThoseOfTheTableOfCast) {
  const Rounding nearest{.saturate = false, .e8m0 = Rounding::E8m0::nearest};
  const double beyond = 1.5 * std::pow(2.0, 127);
  const double below = std::pow(2.0, -128);
  const auto up = [](double value) { return encode_small_float(ElementType::float8e8m0, value); };
  EXPECT_EQ(up(0), 0U);
  EXPECT_EQ(up(nan), 0xffU);
  EXPECT_EQ(up(infinity), 0xfeU);
  EXPECT_EQ(up(beyond), 0xfeU);
  EXPECT_EQ(up(below), 0U);
  for (const double value : {0.0, nan, infinity, beyond, below}) {
    EXPECT_EQ(encode_small_float(ElementType::float8e8m0, value, nearest), 0xffU) << value;
  }
}

TEST(DoubleForRounding, KeepsTheSideOfTheMiddleOnWhichAnIntegerLies) {
  // bfloat16 has 2^62 and 2^62 + 2^55 as neighbours.
  const std::uint64_t middle = (std::uint64_t{1} << 62) + (std::uint64_t{1} << 54);
  const std::uint32_t below = encode_small_float(ElementType::bfloat16, std::pow(2.0, 62));
  const auto encoded = [](std::uint64_t integer) {
    return encode_small_float(ElementType::bfloat16, double_for_rounding(integer));
  };
  EXPECT_EQ(encoded(middle - 1), below);
  EXPECT_EQ(encoded(middle), below);
  EXPECT_EQ(encoded(middle + 1), below + 1);
  EXPECT_EQ(double_for_rounding(std::uint64_t{1} << 53), std::pow(2.0, 53));
  EXPECT_EQ(double_for_rounding(0), 0);
}

TEST(SmallFloats, AnotherTypeIsRefused) {
  EXPECT_FALSE(is_small_float(ElementType::float32));
  EXPECT_THROW(decode_small_float(ElementType::float32, 0), std::invalid_argument);
  EXPECT_THROW(encode_small_float(ElementType::int4, 0), std::invalid_argument);
}

}  // namespace
}  // namespace ifcert
