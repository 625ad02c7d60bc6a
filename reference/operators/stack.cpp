#include "operators/stack.hpp"

#include <fmt/format.h>

#include "operators/result.hpp"

namespace ifcert::kernels {
Value stacked(const Operands& operands, std::span<const Value> tensors, std::int64_t axis) {
  const Tensor* first = tensors.front().tensor();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor* tensor = tensors[i].tensor();
    if (first != nullptr && tensor != nullptr && tensor->type == first->type && tensor->dims == first->dims) continue;
    refuse(operands.node, fmt::format("expected tensors of one type and shape; tensor {} is {}, but tensor 0 is {}", i,
                                      to_string(type_of(tensors[i])), to_string(type_of(tensors.front()))));
  }
  const std::size_t at = axis_from_front(operands.node, axis, first->dims.size() + 1);
  Dims dims = first->dims;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::int64_t>(tensors.size()));
  Result result(operands, first->type, std::move(dims));
  const std::uint64_t rows = result.count() == 0 ? 0 : count_between(first->dims, 0, at);
  const std::uint64_t length = rows == 0 ? 0 : first->count() / rows;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (const Value& tensor : tensors) result.append(*tensor.tensor(), row * length, length);
  }
  return std::move(result).value();
}

Value element_along(const Operands& operands, const Tensor& tensor, std::size_t axis, std::int64_t position) {
  Dims dims = tensor.dims;
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  const auto size = static_cast<std::uint64_t>(tensor.dims[axis]);
  Result result(operands, tensor.type, dims);
  const std::uint64_t rows = result.count() == 0 ? 0 : count_between(dims, 0, axis);
  const std::uint64_t length = rows == 0 ? 0 : result.count() / rows;
  for (std::uint64_t row = 0; row < rows; ++row) {
    result.append(tensor, (row * size + static_cast<std::uint64_t>(position)) * length, length);
  }
  return std::move(result).value();
}

}  // namespace ifcert::kernels
