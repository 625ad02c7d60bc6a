// Gather, with batches and with indices that lead outside.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/openvino_operands.hpp"
#include "kernels/openvino_operators.hpp"
#include "kernels/result.hpp"
#include "kernels/stack.hpp"

namespace ifcert::kernels::openvino {
namespace {

/// The operands as they are gathered from: indices count from the front.
struct Gathered {
  Value data, indices;
  std::size_t axis = 0;
};

/// "If index value exceed allowed range output data for corresponding index will be filled with zeros" (Gather-8): the
/// data with zeros behind the last of the axis, to which such indices lead.
void lead_to_zeros(const Operands& operands, Gathered& gathered, Integers& indices) {
  const Tensor& data = *gathered.data.tensor();
  const std::int64_t size = data.dims[gathered.axis];
  const auto is_outside = [&](std::int64_t index) { return index < -size || index >= size; };
  if (std::ranges::none_of(indices, is_outside)) return;
  std::ranges::replace_if(indices, is_outside, size);
  for (std::int64_t& index : indices) index += index < 0 ? size : 0;
  Dims dims = data.dims;
  dims[gathered.axis] = 1;
  const Value zeros = Result(operands.node, data.type, dims).value();
  Value longer;
  call(evaluate_concat_4, operands, std::span(&longer, 1), {gathered.data, zeros},
       {{"axis", static_cast<std::int64_t>(gathered.axis)}});
  gathered.data = std::move(longer);
}

Value gather(const Operands& operands, const Value& data, const Value& indices, std::size_t axis) {
  Value result;
  call(kernels::evaluate_gather, operands, std::span(&result, 1), {data, indices},
       {{"axis", static_cast<std::int64_t>(axis)}});
  return result;
}

/// The dims from `first` to `last`.
Dims part(const Dims& dims, std::size_t first, std::size_t last) {
  return {dims.begin() + static_cast<std::ptrdiff_t>(first), dims.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// The tensor with its first dims made one.
Value with_one_batch(const Tensor& tensor, std::size_t batch_dims) {
  Dims dims = part(tensor.dims, batch_dims, tensor.dims.size());
  dims.insert(dims.begin(), static_cast<std::int64_t>(element_count(part(tensor.dims, 0, batch_dims))));
  return with_dims(tensor, dims);
}

/// Gathers within each batch: what the first dims say.
Value gather_batches(const Operands& operands, const Gathered& gathered, std::size_t batch_dims) {
  const Tensor& data = *gathered.data.tensor();
  const Tensor& indices = *gathered.indices.tensor();
  Dims dims = part(data.dims, 0, gathered.axis);
  dims.insert(dims.end(), indices.dims.begin() + static_cast<std::ptrdiff_t>(batch_dims), indices.dims.end());
  const Dims behind = part(data.dims, gathered.axis + 1, data.dims.size());
  dims.insert(dims.end(), behind.begin(), behind.end());
  if (element_count(dims) == 0) return Result(operands.node, data.type, dims).value();
  const Value all_data = with_one_batch(data, batch_dims);
  const Value all_indices = with_one_batch(indices, batch_dims);
  std::vector<Value> batches;
  for (std::int64_t i = 0; i < all_data.tensor()->dims[0]; ++i) {
    batches.push_back(gather(operands, element_along(operands.node, *all_data.tensor(), 0, i),
                             element_along(operands.node, *all_indices.tensor(), 0, i), gathered.axis - batch_dims));
  }
  return with_dims(*stacked(operands.node, batches, 0).tensor(), dims);
}

/// "If batch_dims is less than zero, normalized value is used batch_dims = indices.rank + batch_dims", "It requires the
/// first b dimensions in data and indices tensors to be equal", "axis' >= batch_dims'" (Gather-8)
std::size_t batch_dims_of(const Operands& operands, std::size_t axis) {
  const Dims& data = tensor_operand(operands, 0).dims;
  const Dims& indices = tensor_operand(operands, 1).dims;
  const std::int64_t given = integer(operands, "batch_dims", "0");
  const std::int64_t batch_dims = given < 0 ? given + static_cast<std::int64_t>(indices.size()) : given;
  const std::size_t most = std::min(axis, indices.size());
  if (batch_dims < 0 || static_cast<std::size_t>(batch_dims) > most)
    refuse(operands.node, fmt::format("attribute batch_dims is {}, at most {} are asked", given, most));
  const auto count = static_cast<std::size_t>(batch_dims);
  if (part(data, 0, count) != part(indices, 0, count)) refuse(operands.node, "data and indices have other batches");
  return count;
}

}  // namespace

void evaluate_gather(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 3, 3);
  Gathered gathered{operands.input(0), {}, 0};
  gathered.axis = axis_from_front(operands.node, one_integer(operands, 2), tensor_operand(operands, 0).dims.size());
  const std::size_t batch_dims = batch_dims_of(operands, gathered.axis);
  Integers indices = all_integers(operands, 1);
  if (operands.node.version >= 8) lead_to_zeros(operands, gathered, indices);
  gathered.indices = make_tensor<std::int64_t>(ElementType::int64, tensor_operand(operands, 1).dims, indices);
  outputs[0] = batch_dims == 0 ? gather(operands, gathered.data, gathered.indices, gathered.axis)
                               : gather_batches(operands, gathered, batch_dims);
}

}  // namespace ifcert::kernels::openvino
