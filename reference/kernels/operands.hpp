// An operator's operands, checked: everything that is not what the operator asks for is refused with what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/operator.hpp"

namespace ifcert::kernels {

/// Throws EvaluationError "Add: …".
[[noreturn]] void refuse(const Node& node, const std::string& what);

/// False for a tensor whose bytes are more or fewer than its shape asks.
bool bytes_fit_shape(const Tensor& tensor);

/// As many operands as an operator may have whose last one is variadic.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Refuses more than `most` operands, and a node that has not exactly one output.
void expect_operands(const Operands& operands, std::span<const Value> outputs, std::size_t most);

/// Operand `i`; refuses where it is left out, no tensor, or a tensor whose bytes are more or fewer than its shape asks.
const Tensor& tensor_operand(const Operands& operands, std::size_t i);

/// The same, of that element type.
const Tensor& tensor_operand(const Operands& operands, std::size_t i, ElementType type);

/// Operands 0 and 1, which must be of one element type; `first` and `second` say where else they stand.
void expect_same_type(const Operands& operands, std::size_t first, std::size_t second);

/// The longest list (a shape, axes, pads) that a run takes: one number for each axis of a tensor.
inline constexpr std::uint64_t longest_list = 1'000'000;

/// The longest one that is looked at before a run, where each node looks again.
inline constexpr std::uint64_t longest_known_list = 1000;

/// The elements of operand `i`, an int64 or int32 tensor of any rank.
std::vector<std::int64_t> integer_elements(const Operands& operands, std::size_t i);

/// The elements of operand `i`, an int64 or int32 tensor of rank 1 and at most `longest_list` elements; nullopt where
/// it is left out.
std::optional<std::vector<std::int64_t>> integer_list(const Operands& operands, std::size_t i);

/// Refuses a list of more than `longest_list` numbers.
void expect_list_length(const Node& node, std::size_t i, const Tensor& tensor);

/// `axis` counted from the front; refuses one outside [-rank, rank - 1].
std::size_t axis_from_front(const Node& node, std::int64_t axis, std::size_t rank);

// Of types, before there are values. Dims of types have -1 where a dim is not known.

/// True where every attribute's value is known: outside functions, and within them once a call gives them.
bool attributes_known(const OperandTypes& operands);

/// Refuses fewer than `least` or more than `most` operands, a required one left out, and a node without one output.
void expect_operands(const OperandTypes& operands, std::span<const Type> outputs, std::size_t least, std::size_t most);

/// True where operand `i` is not given at all.
bool is_left_out(const OperandTypes& operands, std::size_t i);

/// The type of operand `i`: a tensor type, unknown or none. Refuses any other kind.
const Type& tensor_type(const OperandTypes& operands, std::size_t i);

/// The element type of operand `i`, `undefined` where it is not known; refuses what is not a tensor.
ElementType element_type(const OperandTypes& operands, std::size_t i);

/// The same, refusing a known element type other than `type`.
void expect_type(const OperandTypes& operands, std::size_t i, ElementType type);

/// The one element type that the operands from `first` to `last` have, as far as it is known; refuses two different
/// ones.
ElementType common_element_type(const OperandTypes& operands, std::size_t first, std::size_t last);

/// The dims of operand `i`; nullopt where not even the rank is known.
std::optional<Dims> dims_of(const OperandTypes& operands, std::size_t i);

/// The elements of operand `i` where it is a constant int64 or int32 tensor of at most `longest_known_list` elements;
/// nullopt where that is not known.
std::optional<std::vector<std::int64_t>> constant_integers(const OperandTypes& operands, std::size_t i);

/// What keeps a shape from being inferred although it may fit: that depends on the run, or no text says it.
class NotInferred : public EvaluationError {
 public:
  using EvaluationError::EvaluationError;
};

/// The shape that `compute` finds; nullopt where it refuses. A shape that cannot fit is a fault of the run, if the node
/// ever runs; it is no fault of the types, so it is told apart from them.
template <class Compute>
std::optional<Shape> shape_if_it_fits(const OperandTypes& operands, Compute compute) {
  try {
    return static_shape(compute());
  } catch (const NotInferred&) {
    return std::nullopt;
  } catch (const EvaluationError& error) {
    if (operands.misfit != nullptr) *operands.misfit = error.what();
    return std::nullopt;
  }
}

}  // namespace ifcert::kernels
