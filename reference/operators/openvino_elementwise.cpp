// OpenVINO's operators that pair the elements of two tensors (and Select, which picks from two), with auto_broadcast.
// Each calls the kernel of ONNX.
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "operators/broadcast.hpp"
#include "operators/elementwise.hpp"
#include "operators/openvino_operands.hpp"
#include "operators/openvino_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels::openvino {
namespace {

/// B's dims so that numpy's rules align them as those of PDPD do.
/// Sentences: operations-broadcast-pdpd-subsequence, operations-broadcast-pdpd-axis,
/// operations-broadcast-pdpd-default-axis, operations-broadcast-pdpd-trailing-ones.
Dims dims_aligned_as_pdpd(const Node& node, const Dims& a, const Dims& b, std::int64_t axis) {
  Dims dims = b;
  if (axis == -1) axis = std::ssize(a) - std::ssize(dims);
  while (!dims.empty() && dims.back() == 1) dims.pop_back();
  const bool fits = axis >= 0 && axis <= std::ssize(a) && std::ssize(dims) <= std::ssize(a) - axis;
  if (!fits || b.size() > a.size())
    refuse(node, fmt::format("operand 1 is not a subsequence of operand 0 at axis {}", axis));
  dims.insert(dims.end(), a.size() - static_cast<std::size_t>(axis) - dims.size(), 1);
  return dims;
}

/// OpenVINO's serializer writes the axis under a longer name.
std::int64_t pdpd_axis(const Operands& operands) {
  return integer(operands, "auto_broadcast.auto_broadcast_axis", text(operands, "axis", "-1"));
}

Value aligned_as_pdpd(const Operands& operands) {
  const Tensor& second = tensor_operand(operands, 1);
  const Dims& a = tensor_operand(operands, 0).dims;
  return with_dims(operands, second, dims_aligned_as_pdpd(operands.node, a, second.dims, pdpd_axis(operands)));
}

/// The values that the pages of Divide-1 and its neighbours list; Power-1 lists only the first two.
void expect_known_rule(const Node& node, std::string_view rule) {
  if (rule != "none" && rule != "numpy" && rule != "pdpd")
    refuse(node, fmt::format("unknown auto_broadcast \"{}\"", rule));
}

/// Sentence: operations-divide-none.
void pairwise(EvaluateFunction kernel, const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 2, 2);
  const std::string_view rule = text(operands, "auto_broadcast", "numpy");
  const Dims& a = tensor_operand(operands, 0).dims;
  if (rule == "none" && a != tensor_operand(operands, 1).dims)
    refuse(operands.node, "the shapes differ and auto_broadcast is none");
  expect_known_rule(operands.node, rule);
  const Value b = rule == "pdpd" ? aligned_as_pdpd(operands) : operands.input(1);
  call(kernel, operands, outputs, {operands.input(0), b}, {});
  if (rule == "pdpd" && outputs[0].tensor()->dims != a)
    refuse(operands.node, "operand 1 does not broadcast to operand 0");
}

}  // namespace

void evaluate_add(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_arithmetic_7, operands, Elements::numbers);
  pairwise(evaluate_add_7, operands, outputs);
}
void evaluate_subtract(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_arithmetic_7, operands, Elements::numbers);
  pairwise(evaluate_sub_7, operands, outputs);
}
void evaluate_multiply(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_arithmetic_7, operands, Elements::numbers);
  pairwise(evaluate_mul_7, operands, outputs);
}
void evaluate_power(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_pow_12, operands, Elements::numbers);
  pairwise(evaluate_pow_12, operands, outputs);
}
void evaluate_equal(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_equal_7, operands, Elements::any);
  pairwise(evaluate_equal_7, operands, outputs);
}
void evaluate_less(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_order_7, operands, Elements::any);
  pairwise(evaluate_less_7, operands, outputs);
}
void evaluate_greater(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_order_7, operands, Elements::any);
  pairwise(evaluate_greater_7, operands, outputs);
}
void evaluate_logical_and(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_and_7, operands, outputs);
}
void evaluate_logical_or(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_or_7, operands, outputs);
}
void evaluate_logical_xor(const Operands& operands, std::span<Value> outputs) {
  pairwise(evaluate_xor_7, operands, outputs);
}

namespace {

/// Rounds down, where ONNX's kernel truncates towards zero.
template <class T>
T floor_quotient(T x, T y) {
  if (y == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(x));
  const bool between = x % y != 0 && (x < 0) != (y < 0);
  return static_cast<T>(x / y - (between ? 1 : 0));
}

/// ONNX's Div, which refuses division by zero, with its quotients rounded down.
void floor_divide(const Operands& operands, std::span<Value> outputs) {
  evaluate_div_7(operands, outputs);
  const Pair pair = broadcast_pair(operands, outputs);
  visit_numeric(pair.a.type, [&]<class T>() {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      outputs[0] = elementwise<T, T>(operands, pair.a.type, pair, floor_quotient<T>);
  });
}

/// A misfit where paddle's rules do not let operand 1 broadcast to operand 0.
void expect_subsequence(const OperandTypes& operands) {
  const std::optional<Dims> a = dims_of(operands, 0);
  const std::optional<Dims> b = dims_of(operands, 1);
  const auto is_static = [](const std::optional<Dims>& dims) {
    return dims && std::ranges::all_of(*dims, [](std::int64_t dim) { return dim >= 0; });
  };
  const Operands attributes{operands.node, operands.constants, operands.call};
  const std::int64_t axis = pdpd_axis(attributes);
  if (!is_static(a) || !is_static(b)) return;
  shape_if_it_fits(operands, [&] {
    if (broadcast_dims(operands.node, *a, dims_aligned_as_pdpd(operands.node, *a, *b, axis)) != *a)
      refuse(operands.node, "operand 1 does not broadcast to operand 0");
    return *a;
  });
}

}  // namespace

/// Integers are divided as Python does, unless told otherwise; a division by zero, which is undefined, they refuse.
/// Sentences: operations-divide-pythondiv, operations-divide-by-zero.
void evaluate_divide(const Operands& operands, std::span<Value> outputs) {
  expect_computed(infer_arithmetic_7, operands, Elements::numbers);
  pairwise(flag(operands, "m_pythondiv", true) ? floor_divide : evaluate_div_7, operands, outputs);
}

/// Each element comes from operand 1 where operand 0 is true, else from operand 2 (Select-1).
void evaluate_select(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 3, 3);
  const std::string_view rule = text(operands, "auto_broadcast", "numpy");
  const auto dims = [&](std::size_t i) { return tensor_operand(operands, i).dims; };
  if (rule == "none" && (dims(0) != dims(1) || dims(0) != dims(2)))
    refuse(operands.node, "the shapes differ and auto_broadcast is none");
  if (rule != "none" && rule != "numpy")
    refuse_missing(operands.node, fmt::format("the reference does not support auto_broadcast \"{}\"", rule));
  call(evaluate_where, operands, outputs, {operands.input(0), operands.input(1), operands.input(2)}, {});
}

void infer_divide(const OperandTypes& operands, std::span<Type> outputs) {
  flag({operands.node, operands.constants, operands.call}, "m_pythondiv", true);
  infer_pair_of<infer_arithmetic_7, Elements::numbers>(operands, outputs);
}

/// With none the shapes must be equal; with pdpd no shapes are passed to the inference, which follows numpy's rules.
void infer_pair(InferFunction numpy, const OperandTypes& operands, std::span<Type> outputs) {
  const std::string_view rule = text(operands, "auto_broadcast", "numpy");
  expect_known_rule(operands.node, rule);
  if (rule == "none") expect_same_dims(operands, 0, 1);
  if (rule != "pdpd") return numpy(operands, outputs);
  expect_subsequence(operands);
  std::vector<Type> types;
  for (const Type* type : operands.inputs) types.push_back(type->is_tensor() ? Type::tensor(type->element) : *type);
  numpy({operands.node, pointers_to(types), operands.constants, operands.call}, outputs);
}

}  // namespace ifcert::kernels::openvino
