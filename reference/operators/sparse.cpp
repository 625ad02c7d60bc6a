#include "operators/sparse.hpp"

#include <fmt/format.h>

#include <cstring>
#include <ifcert/elements.hpp>
#include <utility>

#include "operators/operands.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

/// The indices of a sparse tensor, whose numbers are checked as they are read.
class Indices {
 public:
  Indices(const Node& node, const SparseTensor& sparse, std::uint64_t count)
      : node_(node),
        dims_(sparse.dims),
        numbers_(sparse.indices.elements<std::int64_t>()),
        linear_(sparse.indices.dims.size() == 1),
        count_(count) {}

  /// The position, row by row, of value `i`.
  std::uint64_t position(std::uint64_t i) const {
    if (linear_) return checked(i, numbers_[i], count_, "elements");
    std::uint64_t position = 0;
    for (std::size_t axis = 0; axis < dims_.size(); ++axis) {
      const auto length = static_cast<std::uint64_t>(dims_[axis]);
      position = position * length + checked(i, numbers_[i * dims_.size() + axis], length, "places along its axis");
    }
    return position;
  }

 private:
  std::uint64_t checked(std::uint64_t i, std::int64_t index, std::uint64_t length, std::string_view what) const {
    if (index < 0 || static_cast<std::uint64_t>(index) >= length)
      refuse(node_, fmt::format("index {} of the sparse tensor is {}; there are {} {}", i, index, length, what));
    return static_cast<std::uint64_t>(index);
  }

  const Node& node_;
  const Dims& dims_;
  std::span<const std::int64_t> numbers_;
  bool linear_;
  std::uint64_t count_;
};

void expect_indices(const Node& node, const SparseTensor& sparse) {
  if (sparse.indices.type != ElementType::int64)
    refuse(node,
           fmt::format("the indices of the sparse tensor are {}; int64 is required", name_of(sparse.indices.type)));
  if (!bytes_fit_shape(sparse.indices) || !bytes_fit_shape(sparse.values))
    refuse(node, "a part of the sparse tensor does not have as many bytes as its shape needs");
  for (const std::int64_t dim : sparse.dims) {
    if (dim < 0) refuse(node, fmt::format("a dim of the sparse tensor is {}", dim));
  }
}

/// Copies element `i` of `source` to `position`.
void set_element(Result& result, const Tensor& source, std::uint64_t i, std::uint64_t position) {
  if (source.type == ElementType::string) return result.set_string(position, source.strings[i]);
  const std::size_t bits = bits_of(source.type);
  if (is_packed(source.type))
    return set_packed_code(result.bytes(), bits, position, packed_code(source.data.bytes(), bits, i));
  const std::size_t size = bits / 8;
  std::memcpy(result.bytes().data() + position * size, source.data.bytes().data() + i * size, size);
}

}  // namespace

// The default of strings is the empty one.
// Sentences: proto-sparse-values, proto-sparse-default-zero.
Value dense_form(const Operands& context, const SparseTensor& sparse) {
  expect_indices(context.node, sparse);
  const Tensor& values = sparse.values;
  Result result(context, values.type, sparse.dims);
  const std::uint64_t given = values.count();
  if (values.type == ElementType::float8e8m0 && given < result.count())
    refuse(context.node, "the sparse tensor leaves out elements, which are zero, and float8e8m0 has no zero");
  const Indices indices(context.node, sparse, result.count());
  in_pieces(context.work, given, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) set_element(result, values, i, indices.position(i));
  });
  return std::move(result).value();
}

}  // namespace ifcert::kernels
