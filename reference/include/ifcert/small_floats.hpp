// Floating-point types narrower than 32 bits: from code to number and back.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>

namespace ifcert {

/// How a number is converted that the target type cannot represent. The names are those of ONNX's Cast.
struct Rounding {
  enum class E8m0 : std::uint8_t { up, down, nearest };

  bool saturate = true;                 // float8: the largest value where out of range; else NaN or infinity
  bool infinity_saturates_fnuz = true;  // Cast-24 on; until Cast-23 an infinity became NaN even when saturating
  E8m0 e8m0 = E8m0::up;                 // float8e8m0: away from zero, towards zero, nearest with ties up
};

/// float16, bfloat16, the five float8 types and float4e2m1.
bool is_small_float(ElementType type);

/// The exact number that a code of a small float type represents; a NaN keeps its sign and payload. Throws
/// std::invalid_argument where `type` is not a small float.
double decode_small_float(ElementType type, std::uint32_t code);

/// The code of a number: rounded to nearest even, with infinities, NaN and out-of-range numbers converted as ONNX's
/// Cast specifies. Where the text leaves it open: a NaN keeps its sign where the type has one, and the float8e8m0 of a
/// negative is NaN. Throws std::invalid_argument where `type` is not a small float.
std::uint32_t encode_small_float(ElementType type, double value, const Rounding& rounding = {});

/// A double that rounds to any small float as the integer itself would (lost digits set the last bit).
double double_for_rounding(std::uint64_t integer);

}  // namespace ifcert
