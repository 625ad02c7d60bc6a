#include "formats/onnx/sparse_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace ifcert::onnx {
namespace {

/// `width` numbers each, or one linearized number.
/// Sentence: proto-sparse-indices.
bool ascend(std::span<const std::int64_t> indices, std::size_t width) {
  for (std::size_t at = width; at + width <= indices.size(); at += width) {
    const auto before = indices.subspan(at - width, width);
    const auto here = indices.subspan(at, width);
    if (!std::ranges::lexicographical_compare(before, here)) return false;
  }
  return true;
}

/// Whether there is one index for each value, of `rank` numbers or of one.
bool shapes_fit(const Dims& values, const Dims& indices, std::size_t rank) {
  const bool has_width = indices.size() == 1 || (indices.size() == 2 && indices[1] == static_cast<std::int64_t>(rank));
  return values.size() == 1 && has_width && indices.front() == values.front();
}

}  // namespace

// Rule: onnx/model/tensor-data-fits-shape.
Value read_sparse(const proto::SparseTensor& from, const Value& values, const Value& indices, const Place& place,
                  Findings& findings) {
  if (values.tensor() == nullptr || indices.tensor() == nullptr) return {};
  const Report report{"onnx/model/tensor-data-fits-shape", findings};
  const Dims& shape = indices.tensor()->dims;
  if (!shapes_fit(values.tensor()->dims, shape, from.dims.size())) {
    report(place, fmt::format("{} values and {} indices", to_string(type_of(values)), to_string(type_of(indices))),
           "values of shape [NNZ], indices of shape [NNZ] or [NNZ, rank]");
    return {};
  }
  const std::size_t width = shape.size() == 2 ? from.dims.size() : 1;
  const bool is_in_model = indices.tensor()->type == ElementType::int64 && !from.indices.external;
  if (width > 0 && is_in_model && !ascend(indices.tensor()->elements<std::int64_t>(), width))
    report(place, "the indices do not ascend", "indices in ascending order, each once");
  return SparseTensor{*values.tensor(), *indices.tensor(), {from.dims.begin(), from.dims.end()}};
}

}  // namespace ifcert::onnx
