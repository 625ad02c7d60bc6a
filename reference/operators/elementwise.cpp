#include "operators/elementwise.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ifcert::kernels {

Pair broadcast_pair(const Operands& operands, std::span<const Value> outputs) {
  expect_operands(operands, outputs, 2);
  expect_same_type(operands, 0, 1);
  const Tensor& b = tensor_operand(operands, 1);
  return {tensor_operand(operands, 0), b, b.dims};
}

Pair legacy_pair(const Operands& operands, std::span<const Value> outputs) {
  Pair pair = broadcast_pair(operands, outputs);
  pair.b_dims = legacy_second_dims(operands, pair.a.dims, pair.b.dims);
  return pair;
}

void refuse_type(const Node& node, ElementType type) {
  refuse(node, fmt::format("operands are tensor({}), which it does not accept", name_of(type)));
}

std::optional<Shape> broadcast_shape(const OperandTypes& operands) {
  const std::optional<Dims> a = dims_of(operands, 0);
  const std::optional<Dims> b = dims_of(operands, 1);
  if (!a || !b) return std::nullopt;
  return shape_if_it_fits(operands, [&] { return broadcast_dims(operands.node, *a, *b); });
}

PairTypes broadcast_types(const OperandTypes& operands, std::span<const Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  return {common_element_type(operands, 0, 1), broadcast_shape(operands)};
}

namespace {

bool is_static(const std::optional<Dims>& dims) {
  return dims && std::ranges::all_of(*dims, [](std::int64_t dim) { return dim >= 0; });
}

}  // namespace

PairTypes legacy_types(const OperandTypes& operands, std::span<const Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  const ElementType element = common_element_type(operands, 0, 1);
  const std::optional<Dims> a = dims_of(operands, 0);
  const std::optional<Dims> b = dims_of(operands, 1);
  if (!is_static(a) || !is_static(b) || !attributes_known(operands)) return {element, tensor_type(operands, 0).shape};
  return {element, shape_if_it_fits(operands, [&] {
            legacy_second_dims(operands, *a, *b);
            return *a;
          })};
}

}  // namespace ifcert::kernels
