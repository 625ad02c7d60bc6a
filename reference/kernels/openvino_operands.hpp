// What kernels of OpenVINO's operators ask of their operands: attributes are texts, axes and lists are operands of any
// integer type. And how they call the kernels of ONNX.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/onnx_operators.hpp"
#include "kernels/operands.hpp"

namespace ifcert::kernels::openvino {

using Integers = std::vector<std::int64_t>;

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

/// The elements of operand `i`, a tensor of any integer type and any rank.
Integers all_integers(const Operands& operands, std::size_t i);

/// The same, of a tensor with at most one dim.
Integers integers(const Operands& operands, std::size_t i);

/// The one element of operand `i`.
std::int64_t one_integer(const Operands& operands, std::size_t i);

/// An int64 tensor with one dim.
Value list_of(const Integers& numbers);

/// Refuses fewer than `least` or more than `most` operands.
void expect_count(const Operands& operands, std::size_t least, std::size_t most);

/// Calls ONNX's kernel with these operands and attributes, in the node's name.
void call(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs, const std::vector<Value>& inputs,
          Attributes attributes);

/// The tensor's elements as those of another type.
Value converted(const Operands& operands, const Value& value, ElementType type);

}  // namespace ifcert::kernels::openvino
