// An operator's operands, checked: an operand that the operator does not accept is refused with a message on what was
// found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator.hpp"

namespace ifcert::kernels {

using Integers = std::vector<std::int64_t>;

/// Throws EvaluationError "Add: …".
[[noreturn]] void refuse(const Node& node, const std::string& what);

/// The same, for something that the operator has and the reference lacks: a delegate may compute the node.
[[noreturn]] void refuse_missing(const Node& node, const std::string& what);

/// Whether the tensor has exactly as many bytes as its shape needs.
bool bytes_fit_shape(const Tensor& tensor);

/// The largest number of operands of an operator whose last operand is variadic.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Refuses more than `most` operands, and a node that does not have exactly one output.
void expect_operands(const Operands& operands, std::span<const Value> outputs, std::size_t most);

/// Operand `i`; refuses it where it is left out, not a tensor, or does not have as many bytes as its shape needs.
const Tensor& tensor_operand(const Operands& operands, std::size_t i);

/// The same; refuses another element type.
const Tensor& tensor_operand(const Operands& operands, std::size_t i, ElementType type);

/// Refuses two operands of different element types.
void expect_same_type(const Operands& operands, std::size_t first, std::size_t second);

/// The longest list (a shape, axes, pads) that a run accepts: one number for each axis of a tensor.
inline constexpr std::uint64_t longest_list = 1'000'000;

/// The longest list that inference reads; every node reads it again.
inline constexpr std::uint64_t longest_known_list = 1000;

/// The elements of operand `i`, an int64 or int32 tensor of any rank.
Integers integer_elements(const Operands& operands, std::size_t i);

/// The elements of operand `i`, an int64 or int32 tensor of rank 1 and at most `longest_list` elements; nullopt where
/// it is left out.
std::optional<Integers> integer_list(const Operands& operands, std::size_t i);

/// Refuses a list of more than `longest_list` numbers.
void expect_list_length(const Node& node, std::size_t i, const Tensor& tensor);

/// `axis` counted from the front; refuses one outside [-rank, rank - 1].
std::size_t axis_from_front(const Node& node, std::int64_t axis, std::size_t rank);

/// The number of elements that the dims in [first, last) span; the product of all dims must fit 64 bits or be 0.
std::uint64_t count_between(const Dims& dims, std::size_t first, std::size_t last);

/// Whether an integer attribute is not 0; `otherwise` where it is left out.
template <class Context>
bool flag(const Context& operands, std::string_view name, bool otherwise = false) {
  const auto* value = operands.template attribute<std::int64_t>(name);
  return value == nullptr ? otherwise : *value != 0;
}

// Types, before there are values. Their dims are -1 where they are unknown.

/// Whether the values of all attributes are known: always outside functions, and in a function within a call.
bool attributes_known(const OperandTypes& operands);

/// Refuses fewer than `least` or more than `most` operands, a required one left out, and a node without one output.
void expect_operands(const OperandTypes& operands, std::span<const Type> outputs, std::size_t least, std::size_t most);

/// Whether operand `i` is left out.
bool is_left_out(const OperandTypes& operands, std::size_t i);

/// The type of operand `i`: a tensor type, unknown or none. Refuses any other kind.
const Type& tensor_type(const OperandTypes& operands, std::size_t i);

/// The element type of operand `i`, `undefined` where it is not known; refuses what is not a tensor.
ElementType element_type(const OperandTypes& operands, std::size_t i);

/// Refuses a known element type other than `type`.
void expect_type(const OperandTypes& operands, std::size_t i, ElementType type);

/// The one element type that the operands from `first` to `last` have, as far as it is known; refuses two different
/// ones.
ElementType common_element_type(const OperandTypes& operands, std::size_t first, std::size_t last);

/// The dims of operand `i`; nullopt where the rank is unknown.
std::optional<Dims> dims_of(const OperandTypes& operands, std::size_t i);

/// Refuses an operand that is left out: a variadic one never is.
void expect_none_left_out(const OperandTypes& operands);

/// A misfit in `message`, unless there is one.
void report_misfit(const OperandTypes& operands, const std::string& message);

/// The length of operand `i`, a list; nullopt where it is left out or not known. Another known rank is a misfit.
std::optional<std::int64_t> list_length(const OperandTypes& operands, std::size_t i);

/// The number of axes in operand `i`, a list, is at most `most`: each is there once. More are a misfit.
void expect_few_axes(const OperandTypes& operands, std::size_t i, std::size_t most);

/// Operand `i` has one element and at most `most_rank` axes. Any other shape is a misfit.
void expect_one_element(const OperandTypes& operands, std::size_t i, std::size_t most_rank);

/// The elements of operand `i` where it is a constant int64 or int32 tensor of at most `longest_known_list` elements;
/// nullopt where that is not known.
std::optional<Integers> constant_integers(const OperandTypes& operands, std::size_t i);

/// A shape that cannot be inferred although it may fit: it depends on the run, or the specification leaves it open.
class NotInferred : public EvaluationError {
 public:
  using EvaluationError::EvaluationError;
};

/// The shape that `compute` returns; nullopt where it refuses. Shapes that cannot fit are an error of the run, if the
/// node ever runs, and not of the types: they are reported separately, as the misfit.
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
