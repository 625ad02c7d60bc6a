#include "conformance/suite/element.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

namespace ifcert::conformance {
namespace {

enum class Family { boolean, signed_integer, unsigned_integer, floating, exponent, complex };

/// The meaning of bits with the largest exponent: IEEE's infinities and NaNs; only all ones is NaN ("fn"); no special
/// value except minus zero, which is NaN ("fnuz"); numbers like any other.
enum class Top { ieee, all_ones_nan, minus_zero_nan, finite };

struct ElementType {
  std::string_view name;
  unsigned bits;
  Family family;
  int mantissa_bits = 0;
  int bias = 0;
  Top top = Top::ieee;
};

constexpr std::array<ElementType, 25> element_types{{
    {"bool", 8, Family::boolean},
    {"int2", 2, Family::signed_integer},
    {"int4", 4, Family::signed_integer},
    {"int8", 8, Family::signed_integer},
    {"int16", 16, Family::signed_integer},
    {"int32", 32, Family::signed_integer},
    {"int64", 64, Family::signed_integer},
    {"uint2", 2, Family::unsigned_integer},
    {"uint4", 4, Family::unsigned_integer},
    {"uint8", 8, Family::unsigned_integer},
    {"uint16", 16, Family::unsigned_integer},
    {"uint32", 32, Family::unsigned_integer},
    {"uint64", 64, Family::unsigned_integer},
    {"float16", 16, Family::floating, 10, 15},
    {"bfloat16", 16, Family::floating, 7, 127},
    {"float32", 32, Family::floating, 23, 127},
    {"float64", 64, Family::floating, 52, 1023},
    {"float8e4m3fn", 8, Family::floating, 3, 7, Top::all_ones_nan},
    {"float8e4m3fnuz", 8, Family::floating, 3, 8, Top::minus_zero_nan},
    {"float8e5m2", 8, Family::floating, 2, 15},
    {"float8e5m2fnuz", 8, Family::floating, 2, 16, Top::minus_zero_nan},
    {"float8e8m0", 8, Family::exponent},
    {"float4e2m1", 4, Family::floating, 1, 1, Top::finite},
    {"complex64", 64, Family::complex},
    {"complex128", 128, Family::complex},
}};

const ElementType* find_type(std::string_view name) {
  for (const ElementType& type : element_types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

/// `width` bits (1 to 64) starting at bit `first`, lowest bits first.
std::uint64_t bits_at(std::string_view bytes, std::uint64_t first, unsigned width) {
  std::uint64_t value = 0;
  unsigned taken = 0;
  do {
    const std::uint64_t at = first + taken;
    const unsigned offset = static_cast<unsigned>(at % 8);
    const unsigned count = std::min(8 - offset, width - taken);
    const std::uint64_t byte = static_cast<unsigned char>(bytes[at / 8]);
    value |= ((byte >> offset) & ((std::uint64_t{1} << count) - 1)) << taken;
    taken += count;
  } while (taken < width);
  return value;
}

std::string nan_text(std::uint64_t bits, unsigned width) {
  return fmt::format("nan (0x{:0{}x})", bits, width / 4);
}

std::string float_text(const ElementType& type, std::uint64_t bits) {
  const std::uint64_t sign = bits >> (type.bits - 1);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << type.mantissa_bits) - 1);
  const std::uint64_t largest = (std::uint64_t{1} << (type.bits - 1 - static_cast<unsigned>(type.mantissa_bits))) - 1;
  const std::uint64_t exponent = (bits >> type.mantissa_bits) & largest;
  const std::uint64_t ones = (std::uint64_t{1} << type.mantissa_bits) - 1;
  const bool minus_zero = sign == 1 && exponent == 0 && mantissa == 0;
  if (type.top == Top::minus_zero_nan && minus_zero) return nan_text(bits, type.bits);
  if (type.top == Top::all_ones_nan && exponent == largest && mantissa == ones) return nan_text(bits, type.bits);
  if (type.top == Top::ieee && exponent == largest) {
    return mantissa != 0 ? nan_text(bits, type.bits) : (sign == 1 ? "-inf" : "inf");
  }
  if (type.bits == 64) return fmt::format("{}", std::bit_cast<double>(bits));
  if (type.bits == 32) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const double fraction = static_cast<double>(mantissa) + (exponent == 0 ? 0.0 : static_cast<double>(ones + 1));
  const int scale = (exponent == 0 ? 1 : static_cast<int>(exponent)) - type.bias - type.mantissa_bits;
  const double magnitude = std::ldexp(fraction, scale);
  return fmt::format("{}", sign == 1 ? -magnitude : magnitude);
}

std::string exponent_text(std::uint64_t bits) {
  return bits == 0xff ? nan_text(bits, 8) : fmt::format("{}", std::ldexp(1.0, static_cast<int>(bits) - 127));
}

}  // namespace

std::optional<unsigned> element_bits(std::string_view type) {
  const ElementType* found = find_type(type);
  return found == nullptr ? std::nullopt : std::optional(found->bits);
}

std::string element_text(std::string_view type, std::string_view bytes, std::uint64_t index) {
  const ElementType& element = *find_type(type);
  if (element.family == Family::complex) {
    const std::string_view part = element.bits == 64 ? "float32" : "float64";
    return fmt::format("({}, {})", element_text(part, bytes, 2 * index), element_text(part, bytes, 2 * index + 1));
  }
  const std::uint64_t bits = bits_at(bytes, index * element.bits, element.bits);
  switch (element.family) {
    case Family::boolean:
      return bits == 0 ? "false" : (bits == 1 ? "true" : fmt::format("0x{:02x}", bits));
    case Family::signed_integer: {
      const unsigned unused = 64 - element.bits;
      return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
    }
    case Family::floating:
      return float_text(element, bits);
    case Family::exponent:
      return exponent_text(bits);
    default:
      return fmt::format("{}", bits);
  }
}

}  // namespace ifcert::conformance
