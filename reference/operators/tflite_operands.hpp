// Attributes of TensorFlow Lite's operators, their operands that are axes, shapes or indices, and their fused
// activations.
#pragma once

#include <array>
#include <string_view>

#include "operators/foreign_call.hpp"

namespace ifcert::kernels::tflite {

inline constexpr std::array int32_only{ElementType::int32};
inline constexpr std::array int32_or_int64{ElementType::int32, ElementType::int64};
inline constexpr std::array all_indices{ElementType::int16, ElementType::int32, ElementType::int64};

/// The attribute's number; `otherwise` where it is absent.
std::int64_t number(const Operands& operands, std::string_view name, std::int64_t otherwise);

/// The element type that the attribute names; refuses an unknown one and a missing attribute.
ElementType type_attribute(const Operands& operands, std::string_view name);
ElementType type_attribute(const OperandTypes& operands, std::string_view name);

/// Refuses operand `i` if its element type is known and is not one of these.
void expect_type_among(const OperandTypes& operands, std::size_t i, std::span<const ElementType> types);

/// The elements of operand `i`, a tensor of one of these types, of any rank.
Integers integers_among(const Operands& operands, std::size_t i, std::span<const ElementType> types);

/// The same, of a list.
Integers list_among(const Operands& operands, std::size_t i, std::span<const ElementType> types);

/// The same, of a list or a scalar.
Integers axes_among(const Operands& operands, std::size_t i, std::span<const ElementType> types);

/// The tensor after the node's fused_activation_function, if it has one.
Value activated(const Operands& operands, Value value);

}  // namespace ifcert::kernels::tflite
