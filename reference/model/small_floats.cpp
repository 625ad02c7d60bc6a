// float16 and bfloat16 are converted by Eigen, all but their NaNs: Eigen maps every NaN to one, here sign and payload
// are preserved. The float8 types, float4e2m1 and float8e8m0 are converted here: Eigen 3.4 does not have them.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <ifcert/small_floats.hpp>
#include <limits>
#include <stdexcept>

namespace ifcert {
namespace {

// The meaning of a type's topmost codes.
enum class Top : std::uint8_t {
  ieee,  // infinities and NaNs in the last exponent
  fn,    // no infinities, NaN is all ones
  fnuz,  // no infinities, no -0: its code is the only NaN
  none,  // numbers only
};

struct Layout {
  int mantissa_bits;
  int bias;
  std::uint32_t sign;     // the bit of the sign
  std::uint32_t largest;  // the code of the largest finite number
  Top top;
};

constexpr Layout float16_layout{10, 15, 0x8000, 0x7bff, Top::ieee};
constexpr Layout bfloat16_layout{7, 127, 0x8000, 0x7f7f, Top::ieee};
constexpr Layout float8e4m3fn_layout{3, 7, 0x80, 0x7e, Top::fn};
constexpr Layout float8e4m3fnuz_layout{3, 8, 0x80, 0x7f, Top::fnuz};
constexpr Layout float8e5m2_layout{2, 15, 0x80, 0x7b, Top::ieee};
constexpr Layout float8e5m2fnuz_layout{2, 16, 0x80, 0x7f, Top::fnuz};
constexpr Layout float4e2m1_layout{1, 1, 0x8, 0x7, Top::none};

const Layout& layout_of(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return float16_layout;
    case ElementType::bfloat16:
      return bfloat16_layout;
    case ElementType::float8e4m3fn:
      return float8e4m3fn_layout;
    case ElementType::float8e4m3fnuz:
      return float8e4m3fnuz_layout;
    case ElementType::float8e5m2:
      return float8e5m2_layout;
    case ElementType::float8e5m2fnuz:
      return float8e5m2fnuz_layout;
    case ElementType::float4e2m1:
      return float4e2m1_layout;
    default:
      throw std::invalid_argument(fmt::format("{} is not a floating-point type narrower than 32 bits", name_of(type)));
  }
}

// The parts of a double.
constexpr int double_mantissa_bits = 52;
constexpr int double_bias = 1023;
constexpr std::uint64_t double_sign = std::uint64_t{1} << 63;
constexpr std::uint64_t double_infinity = std::uint64_t{0x7ff} << double_mantissa_bits;
constexpr std::uint64_t double_mantissa = (std::uint64_t{1} << double_mantissa_bits) - 1;

double power_of_two(int exponent) {  // of a normal double
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + double_bias) << double_mantissa_bits);
}

double nan_with(bool negative, std::uint64_t payload) {
  const std::uint64_t quiet = std::uint64_t{1} << (double_mantissa_bits - 1);
  return std::bit_cast<double>((negative ? double_sign : 0) | double_infinity | (payload == 0 ? quiet : payload));
}

bool is_nan(const Layout& layout, std::uint32_t code) {
  const std::uint32_t magnitude = code & (layout.sign - 1);
  switch (layout.top) {
    case Top::ieee:
      return magnitude > layout.largest + 1;
    case Top::fn:
      return magnitude > layout.largest;
    case Top::fnuz:
      return code == layout.sign;
    case Top::none:
      return false;
  }
  return false;
}

std::uint32_t nan_code(const Layout& layout, std::uint32_t sign, std::uint64_t payload) {
  switch (layout.top) {
    case Top::ieee: {
      const auto upper = static_cast<std::uint32_t>(payload >> (double_mantissa_bits - layout.mantissa_bits));
      const std::uint32_t quiet = 1U << (layout.mantissa_bits - 1);
      return sign | (layout.largest + 1 + (upper == 0 ? quiet : upper));
    }
    case Top::fn:
      return sign | (layout.largest + 1);
    case Top::fnuz:
      return layout.sign;
    case Top::none:
      return layout.largest;  // ONNX, "Float stored in 4 bits", Cast: NaN becomes 6
  }
  return 0;
}

std::uint32_t overflow_code(const Layout& layout, std::uint32_t sign, bool infinite, const Rounding& rounding) {
  if (layout.top == Top::none) return sign | layout.largest;
  const bool to_nan = infinite && layout.top == Top::fnuz && !rounding.infinity_saturates_fnuz;
  if (rounding.saturate && !to_nan) return sign | layout.largest;
  return layout.top == Top::ieee ? sign | (layout.largest + 1) : nan_code(layout, sign, 0);
}

// Divides by two to the power of `shift` (1 or more), to the nearest, ties to even.
std::uint64_t shifted_to_nearest(std::uint64_t value, int shift) {
  if (shift > 63) return 0;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rest = value & (half + half - 1);
  const std::uint64_t quotient = value >> shift;
  const bool up = rest > half || (rest == half && (quotient & 1) != 0);
  return quotient + (up ? 1 : 0);
}

// Rounds to odd: where `value` is not a float, the result is the one of its two neighbours whose last bit is 1.
// Rounding that float to a type of at most 22 significant bits has the same result as rounding `value` itself: a value
// on one side of a middle stays on its side. (Rounding to the nearest float could end on the middle and would round
// twice.)
float rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  const bool exact = static_cast<double>(nearest) == value;
  if (exact || (bits & 1) != 0) return nearest;
  return std::bit_cast<float>(std::fabs(nearest) < std::fabs(value) ? bits + 1 : bits - 1);
}

// `value` is not a NaN.
std::uint32_t encode_half(ElementType type, double value) {
  const float odd = rounded_to_odd(value);
  return type == ElementType::float16 ? Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(odd))
                                      : Eigen::numext::bit_cast<std::uint16_t>(Eigen::bfloat16(odd));
}

// The code is not that of a NaN.
double decode_half(ElementType type, std::uint32_t code) {
  const auto bits = static_cast<std::uint16_t>(code);
  return type == ElementType::float16 ? static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits))
                                      : static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(bits));
}

bool is_half(ElementType type) {
  return type == ElementType::float16 || type == ElementType::bfloat16;
}

// E8M0 has powers of two from 2^-127 to 2^127 and one NaN: no sign, no zero, no infinity.
std::uint32_t encode_e8m0(double value, const Rounding& rounding) {
  constexpr std::uint32_t nan = 0xff;
  constexpr std::uint32_t largest = 0xfe;
  if (std::isnan(value) || value < 0) return nan;
  if (value < power_of_two(-127)) return rounding.saturate ? 0 : nan;
  if (value > power_of_two(127)) return rounding.saturate ? largest : nan;
  const int exponent = std::ilogb(value);
  const double fraction = value / power_of_two(exponent);  // 1 to below 2, exact
  const bool up = (rounding.e8m0 == Rounding::E8m0::up && fraction > 1) ||
                  (rounding.e8m0 == Rounding::E8m0::nearest && fraction >= 1.5);
  return static_cast<std::uint32_t>(exponent + 127 + (up ? 1 : 0));
}

double decode_e8m0(std::uint32_t code) {
  return code == 0xff ? nan_with(false, 0) : power_of_two(static_cast<int>(code) - 127);
}

}  // namespace

bool is_small_float(ElementType type) {
  switch (type) {
    case ElementType::float16:
    case ElementType::bfloat16:
    case ElementType::float8e4m3fn:
    case ElementType::float8e4m3fnuz:
    case ElementType::float8e5m2:
    case ElementType::float8e5m2fnuz:
    case ElementType::float8e8m0:
    case ElementType::float4e2m1:
      return true;
    default:
      return false;
  }
}

double decode_small_float(ElementType type, std::uint32_t code) {
  if (type == ElementType::float8e8m0) return decode_e8m0(code);
  const Layout& layout = layout_of(type);
  const bool negative = (code & layout.sign) != 0;
  const std::uint64_t magnitude = code & (layout.sign - 1);
  const std::uint64_t mantissa = magnitude & ((std::uint64_t{1} << layout.mantissa_bits) - 1);
  const int to_double = double_mantissa_bits - layout.mantissa_bits;
  if (is_nan(layout, code)) return nan_with(negative, mantissa << to_double);
  if (is_half(type)) return decode_half(type, code);
  if (layout.top == Top::ieee && magnitude > layout.largest) return negative ? -HUGE_VAL : HUGE_VAL;

  const auto exponent = static_cast<int>(magnitude >> layout.mantissa_bits);
  const double significand = exponent == 0 ? static_cast<double>(mantissa)
                                           : static_cast<double>(mantissa + (std::uint64_t{1} << layout.mantissa_bits));
  const double value = significand * power_of_two(std::max(exponent, 1) - layout.bias - layout.mantissa_bits);
  return negative ? -value : value;
}

std::uint32_t encode_small_float(ElementType type, double value, const Rounding& rounding) {
  if (type == ElementType::float8e8m0) return encode_e8m0(value, rounding);
  const Layout& layout = layout_of(type);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = (bits & double_sign) != 0 ? layout.sign : 0;
  const std::uint64_t magnitude = bits & ~double_sign;
  if (magnitude > double_infinity) return nan_code(layout, sign, magnitude & double_mantissa);
  if (is_half(type)) return encode_half(type, value);
  if (magnitude == double_infinity) return overflow_code(layout, sign, true, rounding);

  // A subnormal double is far below the range of every small float: its missing top bit changes nothing.
  const int exponent = static_cast<int>(magnitude >> double_mantissa_bits) - double_bias;
  const std::uint64_t significand = (magnitude & double_mantissa) | (magnitude == 0 ? 0 : double_mantissa + 1);
  const int biased = std::max(exponent + layout.bias, 1);
  const int shift = double_mantissa_bits - layout.mantissa_bits + (biased - layout.bias - exponent);
  const std::uint64_t rounded = shifted_to_nearest(significand, shift);
  // The significand's top bit counts as one in the exponent, and a carry from rounding does too.
  const std::uint64_t code = (static_cast<std::uint64_t>(biased - 1) << layout.mantissa_bits) + rounded;
  if (code > layout.largest) return overflow_code(layout, sign, false, rounding);
  if (code == 0 && layout.top == Top::fnuz) return 0;
  return sign | static_cast<std::uint32_t>(code);
}

double double_for_rounding(std::uint64_t integer) {
  const int excess = static_cast<int>(std::bit_width(integer)) - std::numeric_limits<double>::digits;
  if (excess <= 0) return static_cast<double>(integer);
  const std::uint64_t upper = integer >> excess;
  const bool lost = (upper << excess) != integer;
  return static_cast<double>(upper | (lost ? 1 : 0)) * power_of_two(excess);
}

}  // namespace ifcert
