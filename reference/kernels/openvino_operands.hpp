// What kernels of OpenVINO's operators ask of their attributes, which are texts.
#pragma once

#include <string_view>

#include "kernels/foreign_call.hpp"

namespace ifcert::kernels::openvino {

/// The attribute's text; `otherwise` where it is not given.
std::string_view text(const Operands& operands, std::string_view name, std::string_view otherwise);
std::string_view text(const OperandTypes& operands, std::string_view name, std::string_view otherwise);

/// "true" or "1", "false" or "0"; refuses another text.
bool flag(const Operands& operands, std::string_view name, bool otherwise);

/// Refuses what is no integer, and an attribute that is not given where `otherwise` is empty.
std::int64_t integer(const Operands& operands, std::string_view name, std::string_view otherwise);

/// The element type that the attribute names, as IR writes it; refuses another text.
ElementType type_attribute(const Operands& operands, std::string_view name, std::string_view otherwise);
ElementType type_attribute(const OperandTypes& operands, std::string_view name, std::string_view otherwise);

}  // namespace ifcert::kernels::openvino
