// Floating-point types narrower than 32 bits: from code to number and back.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>

namespace ifcert {

/// What happens to a number that the type written to does not have. The names are those of ONNX's Cast.
struct Rounding {
  enum class E8m0 : std::uint8_t { up, down, nearest };

  bool saturate = true;                 // float8: the largest value where out of range; else NaN or infinity
  bool infinity_saturates_fnuz = true;  // Cast-24 on; until Cast-23 an infinity became NaN even when saturating
  E8m0 e8m0 = E8m0::up;                 // float8e8m0: away from zero, towards zero, nearest with ties up
};

/// float16, bfloat16, the five float8 types and float4e2m1.
bool is_small_float(ElementType type);

/// The number that a code of a small float type stands for, exactly; a NaN keeps its sign and payload.
/// Throws std::invalid_argument where `type` is no small float.
double decode_small_float(ElementType type, std::uint32_t code);

/// The code of a number: round to nearest even, with infinities, NaN and what is out of range as ONNX's Cast says.
/// Where the text leaves it open: a NaN keeps its sign where the type has one, and the float8e8m0 of a negative is NaN.
/// Throws std::invalid_argument where `type` is no small float.
std::uint32_t encode_small_float(ElementType type, double value, const Rounding& rounding = {});

/// A double that rounds to any small float as the integer itself would (the digits lost leave a trace in the last bit).
double double_for_rounding(std::uint64_t integer);

}  // namespace ifcert
