// Calls of ONNX's kernels by kernels of other formats, and the operands that the latter read for that.
#pragma once

#include <vector>

#include "operators/onnx_operators.hpp"
#include "operators/operands.hpp"

namespace ifcert::kernels {

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

/// Calls ONNX's kernel with these operands and attributes; its messages name the caller's operator.
void call(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs, const std::vector<Value>& inputs,
          Attributes attributes);

/// The tensor's elements as those of another type.
Value converted(const Operands& operands, const Value& value, ElementType type);

}  // namespace ifcert::kernels
