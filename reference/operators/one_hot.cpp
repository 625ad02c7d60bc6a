// OneHot: for each index, a vector that has `on_value` at that position and `off_value` at all others.
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

constexpr std::int64_t most_classes = std::int64_t{1} << 40;  // far above the limit of a tensor's bytes

/// The number as int64; the greatest int64 where an integer is greater, which is as far out of range.
/// Sentences: operators-onehot-depth-cast, operators-onehot-indices-cast.
template <class T>
std::int64_t as_integer(const Node& node, T element) {
  if constexpr (std::integral<T>) {
    constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    return std::in_range<std::int64_t>(element) ? static_cast<std::int64_t>(element) : greatest;
  }
  const auto number = number_of(element);
  constexpr auto limit = static_cast<double>(std::int64_t{1} << 62);
  if (!(static_cast<double>(number) > -limit && static_cast<double>(number) < limit))
    refuse(node, fmt::format("{} is too large to be a position or a number of positions", number));
  return static_cast<std::int64_t>(number);
}

std::int64_t depth_of(const Operands& operands) {
  const Tensor& tensor = tensor_operand(operands, 1);
  if (tensor.count() != 1 || tensor.dims.size() > 1)
    refuse(operands.node, fmt::format("depth is {}; expected one number", to_string(type_of(operands.input(1)))));
  std::int64_t depth = -1;
  if (!visit_numeric(tensor.type, [&]<class T>() { depth = as_integer(operands.node, tensor.elements<T>()[0]); }))
    refuse(operands.node, fmt::format("depth is tensor({})", name_of(tensor.type)));
  if (depth < 0) refuse(operands.node, fmt::format("depth is {}", depth));
  return std::min(depth, most_classes);
}

/// Where the axis of the classes is inserted into `rank` axes.
template <class Context>
std::size_t inserted_axis(const Context& operands, std::size_t rank) {
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  return axis_from_front(operands.node, axis == nullptr ? -1 : *axis, rank + 1);
}

Dims with_axis(Dims dims, std::size_t axis, std::int64_t depth) {
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
  return dims;
}

/// The position of an index among `depth` classes; -1 outside [-depth, depth - 1].
std::int64_t position_of(std::int64_t index, std::int64_t depth) {
  if (index < -depth || index >= depth) return -1;
  return index < 0 ? index + depth : index;
}

}  // namespace

void evaluate_one_hot(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 3);
  const Tensor& indices = tensor_operand(operands, 0);
  const Tensor& values = tensor_operand(operands, 2);
  if (values.dims != Dims{2})
    refuse(operands.node, fmt::format("values is {}; expected two values", to_string(type_of(operands.input(2)))));
  const std::int64_t depth = depth_of(operands);
  const std::size_t axis = inserted_axis(operands, indices.dims.size());
  Result result(operands, values.type, with_axis(indices.dims, axis, depth));
  // The result is a list of blocks, one for each index before the axis; in it, a row of `after` values for each class.
  const std::uint64_t after = count_between(indices.dims, axis, indices.dims.size());
  const std::uint64_t in_block = after * static_cast<std::uint64_t>(depth);
  const bool done = visit_numeric(indices.type, [&]<class T>() {
    const auto elements = indices.elements<T>();
    in_pieces(operands.work, result.count(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) {
        const std::int64_t index = as_integer(operands.node, elements[i / in_block * after + i % after]);
        const bool is_on = position_of(index, depth) == static_cast<std::int64_t>(i % in_block / after);
        result.append(values, is_on ? 1 : 0, 1);
      }
    });
  });
  if (!done) refuse(operands.node, fmt::format("the indices are tensor({})", name_of(indices.type)));
  outputs[0] = std::move(result).value();
}

namespace {

void expect_number(const OperandTypes& operands, std::size_t i, std::string_view what) {
  const ElementType type = element_type(operands, i);
  if (type != ElementType::undefined && !is_numeric(type))
    refuse(operands.node, fmt::format("{} tensor({})", what, name_of(type)));
}

}  // namespace

void infer_one_hot(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  outputs[0] = Type::tensor(element_type(operands, 2));
  expect_number(operands, 0, "the indices are");
  expect_number(operands, 1, "depth is");
  expect_one_element(operands, 1, 1);
  const std::optional<std::int64_t> values = list_length(operands, 2);
  if (values && *values != 2) report_misfit(operands, fmt::format("values has {} elements; expected two", *values));
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands)) return;
  const std::optional<Integers> depth = constant_integers(operands, 1);
  const bool is_known = depth && depth->size() == 1 && depth->front() >= 0;
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    return with_axis(*dims, inserted_axis(operands, dims->size()), is_known ? depth->front() : -1);
  });
}

}  // namespace ifcert::kernels
