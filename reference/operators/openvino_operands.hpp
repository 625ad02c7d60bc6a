// Attributes of OpenVINO's operators, which are strings.
#pragma once

#include <string_view>

#include "operators/foreign_call.hpp"

namespace ifcert::kernels::openvino {

/// The attribute; `otherwise` where it is absent.
std::string_view text(const Operands& operands, std::string_view name, std::string_view otherwise);
std::string_view text(const OperandTypes& operands, std::string_view name, std::string_view otherwise);

/// "true" or "1", "false" or "0"; refuses any other string.
bool flag(const Operands& operands, std::string_view name, bool otherwise);

/// The attribute as an integer; refuses any other string, and a missing attribute where `otherwise` is empty.
std::int64_t integer(const Operands& operands, std::string_view name, std::string_view otherwise);

/// The element type that the attribute names, as in IR; refuses any other string.
ElementType type_attribute(const Operands& operands, std::string_view name, std::string_view otherwise);
ElementType type_attribute(const OperandTypes& operands, std::string_view name, std::string_view otherwise);

/// Whether tensors of the type can be axes, positions and shapes; true of a type that is not known.
bool holds_integers(ElementType type);

/// A misfit where two operands' shapes differ; auto_broadcast is none.
void expect_same_dims(const OperandTypes& operands, std::size_t first, std::size_t second);

}  // namespace ifcert::kernels::openvino
