// Floating-point types narrower than 32 bits: from code to number and back.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>

namespace ifcert {

/// How a number is converted that the target type does not have. The names are those of ONNX's Cast.
struct Rounding {
  enum class E8m0 : std::uint8_t { up, down, nearest };

  bool saturate = true;                 // float8: the largest value where out of range; else NaN or infinity
  bool infinity_saturates_fnuz = true;  // Cast-24 on; until Cast-23 an infinity became NaN even when saturating
  E8m0 e8m0 = E8m0::up;                 // float8e8m0: away from zero, towards zero, nearest with ties up
};

/// float16, bfloat16, the five float8 types and float4e2m1.
bool is_small_float(ElementType type);

/// The exact number of a code of a small float type; a NaN keeps its sign and payload.
/// Throws std::invalid_argument where `type` is not a small float.
double decode_small_float(ElementType type, std::uint32_t code);

/// The code of a number: rounded to nearest even; infinities, NaN and numbers out of range as in ONNX's Cast. Where the
/// specification leaves it open, a NaN keeps its sign if the type has one, and a negative number is NaN in float8e8m0.
/// Throws std::invalid_argument where `type` is not a small float.
std::uint32_t encode_small_float(ElementType type, double value, const Rounding& rounding = {});

/// A double that rounds to any small float as the integer itself would: its last bit is set where digits were lost.
double double_for_rounding(std::uint64_t integer);

}  // namespace ifcert
