#include "operators/batched_gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "operators/foreign_call.hpp"
#include "operators/result.hpp"
#include "operators/stack.hpp"

namespace ifcert::kernels {
namespace {

Value gather(const Operands& operands, const Value& data, const Value& indices, std::size_t axis) {
  Value result;
  call(evaluate_gather, operands, std::span(&result, 1), {data, indices}, {{"axis", static_cast<std::int64_t>(axis)}});
  return result;
}

/// The dims from `first` to `last`.
Dims part(const Dims& dims, std::size_t first, std::size_t last) {
  return {dims.begin() + static_cast<std::ptrdiff_t>(first), dims.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// The tensor with its first dims merged into one.
Value with_one_batch(const Operands& operands, const Tensor& tensor, std::size_t batch_dims) {
  Dims dims = part(tensor.dims, batch_dims, tensor.dims.size());
  dims.insert(dims.begin(), static_cast<std::int64_t>(element_count(part(tensor.dims, 0, batch_dims))));
  return with_dims(operands, tensor, dims);
}

/// A negative batch_dims counts from the end of the indices' dims.
/// Sentences: operations-gather-batch-dims-negative, operations-gather-batches-equal,
/// operations-gather-axis-behind-batches.
std::size_t checked_batch_dims(const Operands& operands, const Dims& data, const Dims& indices, std::size_t axis,
                               std::int64_t attribute) {
  const std::int64_t batch_dims = attribute < 0 ? attribute + static_cast<std::int64_t>(indices.size()) : attribute;
  const std::size_t most = std::min(axis, indices.size());
  if (batch_dims < 0 || static_cast<std::size_t>(batch_dims) > most)
    refuse(operands.node, fmt::format("attribute batch_dims is {}; expected at most {}", attribute, most));
  const auto count = static_cast<std::size_t>(batch_dims);
  if (part(data, 0, count) != part(indices, 0, count))
    refuse(operands.node, "data and indices have different batch dims");
  return count;
}

}  // namespace

Value batched_gather(const Operands& operands, const Value& data_value, const Value& indices_value, std::size_t axis,
                     std::int64_t attribute) {
  const Tensor& data = *data_value.tensor();
  const Tensor& indices = *indices_value.tensor();
  const std::size_t batch_dims = checked_batch_dims(operands, data.dims, indices.dims, axis, attribute);
  if (batch_dims == 0) return gather(operands, data_value, indices_value, axis);
  Dims dims = part(data.dims, 0, axis);
  dims.insert(dims.end(), indices.dims.begin() + static_cast<std::ptrdiff_t>(batch_dims), indices.dims.end());
  const Dims after = part(data.dims, axis + 1, data.dims.size());
  dims.insert(dims.end(), after.begin(), after.end());
  Result result(operands, data.type, std::move(dims));
  if (result.count() == 0) return std::move(result).value();
  const Value all_data = with_one_batch(operands, data, batch_dims);
  const Value all_indices = with_one_batch(operands, indices, batch_dims);
  for (std::int64_t i = 0; i < all_data.tensor()->dims[0]; ++i) {
    const Value batch = gather(operands, element_along(operands, *all_data.tensor(), 0, i),
                               element_along(operands, *all_indices.tensor(), 0, i), axis - batch_dims);
    result.append(*batch.tensor(), 0, batch.tensor()->count());
  }
  return std::move(result).value();
}

}  // namespace ifcert::kernels
