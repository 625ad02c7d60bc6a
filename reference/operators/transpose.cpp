// Transpose: the axes in another order.
#include <fmt/format.h>

#include "operators/onnx_operators.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

// The operand's axis for each axis of the result; without `perm` the axes in reverse order.
template <class Context>
std::vector<std::size_t> order_of_axes(const Context& operands, std::size_t rank) {
  std::vector<std::size_t> order(rank);
  const auto* perm = operands.template attribute<Integers>("perm");
  if (perm == nullptr) {
    for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
    return order;
  }
  if (perm->size() != rank) {
    refuse(operands.node, fmt::format("attribute perm has {} axes, but the operand has {}", perm->size(), rank));
  }
  std::vector<bool> seen(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    order[i] = axis_from_front(operands.node, (*perm)[i], rank);
    if (seen[order[i]]) refuse(operands.node, fmt::format("attribute perm names axis {} twice", (*perm)[i]));
    seen[order[i]] = true;
  }
  return order;
}

Dims reordered(const Dims& dims, const std::vector<std::size_t>& order) {
  Dims result;
  for (const std::size_t axis : order) result.push_back(dims[axis]);
  return result;
}

}  // namespace

void evaluate_transpose(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const std::vector<std::size_t> order = order_of_axes(operands, tensor.dims.size());
  Result result(operands, tensor.type, reordered(tensor.dims, order));
  if (result.count() > 0) {
    const Dims steps = steps_of(tensor.dims);
    std::vector<Stride> axes;
    axes.reserve(order.size());
    for (const std::size_t axis : order) axes.push_back({tensor.dims[axis], steps[axis]});
    append_strided(tensor, 0, std::move(axes), result);
  }
  outputs[0] = std::move(result).value();
}

void infer_transpose(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  outputs[0] = Type::tensor(element_type(operands, 0));
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands)) return;
  outputs[0].shape =
      shape_if_it_fits(operands, [&] { return reordered(*dims, order_of_axes(operands, dims->size())); });
}

}  // namespace ifcert::kernels
