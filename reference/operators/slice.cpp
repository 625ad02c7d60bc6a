// Slice: in each listed axis the elements in [start, end), in steps, forwards or backwards.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "operators/onnx_operators.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

// The requested ranges, one entry for each listed axis.
struct Request {
  Integers starts;
  Integers ends;
  Integers axes;
  Integers steps;
};

// Sentences: operators-slice-axes-omitted, operators-slice-steps-omitted.
Request with_defaults(const Node& node, Integers starts, Integers ends, std::optional<Integers> axes,
                      std::optional<Integers> steps) {
  const std::size_t count = starts.size();
  if (!axes) {
    axes.emplace(count);
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!steps) steps.emplace(count, 1);
  Request requested{std::move(starts), std::move(ends), *std::move(axes), *std::move(steps)};
  if (requested.ends.size() != count || requested.axes.size() != count || requested.steps.size() != count) {
    refuse(node, fmt::format("{} starts, {} ends, {} axes and {} steps given; expected equal numbers", count,
                             requested.ends.size(), requested.axes.size(), requested.steps.size()));
  }
  return requested;
}

// Elements of one axis: `count` of them, the first at `start`.
struct AxisRange {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

// Of a dim that is -1, unknown, the count is unknown too.
// Sentences: operators-slice-starts-clamped, operators-slice-ends-clamped.
AxisRange range_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t dim) {
  if (dim < 0) return {0, step, -1};
  if (dim == 0) return {0, step, 0};
  const bool forward = step > 0;
  const std::int64_t first = std::clamp(start < 0 ? start + dim : start, std::int64_t{0}, forward ? dim : dim - 1);
  const std::int64_t low = forward ? 0 : -1;
  const std::int64_t last = std::clamp(end < 0 ? end + dim : end, low, forward ? dim : dim - 1);
  const std::int64_t distance = forward ? last - first : first - last;
  if (distance <= 0) return {first, step, 0};
  const std::int64_t stride = forward ? step : step == std::numeric_limits<std::int64_t>::min() ? dim : -step;
  return {first, step, 1 + (distance - 1) / stride};
}

// A range for each axis of the operand.
std::vector<AxisRange> ranges_of(const Node& node, const Dims& dims, const Request& requested) {
  std::vector<AxisRange> ranges;
  ranges.reserve(dims.size());
  for (const std::int64_t dim : dims) ranges.push_back({0, 1, dim});
  std::vector<bool> seen(dims.size());
  for (std::size_t i = 0; i < requested.starts.size(); ++i) {
    const std::int64_t requested_axis = requested.axes[i];
    const std::int64_t step = requested.steps[i];
    const std::size_t axis = axis_from_front(node, requested_axis, dims.size());
    if (step == 0) refuse(node, fmt::format("the step of axis {} is 0", requested_axis));
    // Sentence: operators-slice-axis-repeated.
    if (seen[axis]) throw NotInferred(fmt::format("{}: axis {} is given twice", node.op, requested_axis));
    seen[axis] = true;
    ranges[axis] = range_of(requested.starts[i], requested.ends[i], step, dims[axis]);
  }
  return ranges;
}

Dims sliced_dims(const std::vector<AxisRange>& ranges) {
  Dims dims;
  dims.reserve(ranges.size());
  for (const AxisRange& range : ranges) dims.push_back(range.count);
  return dims;
}

// Appends the elements in the ranges, which must not be empty.
void append_picked(const Tensor& tensor, const std::vector<AxisRange>& ranges, Result& result) {
  const Dims steps = steps_of(tensor.dims);
  std::int64_t first = 0;
  std::vector<Stride> axes;
  axes.reserve(ranges.size());
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    const auto [start, step, count] = ranges[axis];
    first += start * steps[axis];
    axes.push_back({count, count > 1 ? step * steps[axis] : 0});
  }
  append_strided(tensor, first, std::move(axes), result);
}

void evaluate_slice(const Operands& operands, std::span<Value> outputs, const Request& requested) {
  const Tensor& tensor = tensor_operand(operands, 0);
  const std::vector<AxisRange> ranges = ranges_of(operands.node, tensor.dims, requested);
  Result result(operands, tensor.type, sliced_dims(ranges));
  if (result.count() > 0) append_picked(tensor, ranges, result);
  outputs[0] = std::move(result).value();
}

template <class Context>
Request requested_by_attributes(const Context& operands) {
  const auto* starts = operands.template attribute<Integers>("starts");
  const auto* ends = operands.template attribute<Integers>("ends");
  const auto* axes = operands.template attribute<Integers>("axes");
  if (starts == nullptr || ends == nullptr) refuse(operands.node, "attributes starts and ends are required");
  return with_defaults(operands.node, *starts, *ends, axes == nullptr ? std::nullopt : std::optional(*axes),
                       std::nullopt);
}

// The inferred type; `requested` computes the request where it is known.
template <class Compute>
Type sliced(const OperandTypes& operands, bool known, Compute requested) {
  const std::optional<Dims> dims = dims_of(operands, 0);
  const ElementType element = element_type(operands, 0);
  if (!dims) return Type::tensor(element);
  if (!known) return Type::tensor(element, static_shape(Dims(dims->size(), -1)));
  return Type::tensor(
      element, shape_if_it_fits(operands, [&] { return sliced_dims(ranges_of(operands.node, *dims, requested())); }));
}

void expect_lists_of_one_length(const OperandTypes& operands) {
  if (const std::optional<Dims> dims = dims_of(operands, 0)) {
    for (std::size_t i = 1; i < operands.inputs.size(); ++i) expect_few_axes(operands, i, dims->size());
  }
  std::optional<std::int64_t> common;
  for (std::size_t i = 1; i < operands.inputs.size(); ++i) {
    const std::optional<std::int64_t> length = list_length(operands, i);
    if (!length) continue;
    if (common && *common != *length)
      report_misfit(operands,
                    fmt::format("lists of {} and {} numbers are given; expected equal numbers", *common, *length));
    common = length;
  }
}

}  // namespace

void evaluate_slice_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  evaluate_slice(operands, outputs, requested_by_attributes(operands));
}

void evaluate_slice_10(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 5);
  std::optional<Integers> starts = integer_list(operands, 1);
  std::optional<Integers> ends = integer_list(operands, 2);
  if (!starts || !ends) refuse(operands.node, "operands 1 and 2, starts and ends, are required");
  std::optional<Integers> axes = integer_list(operands, 3);
  std::optional<Integers> steps = integer_list(operands, 4);
  evaluate_slice(operands, outputs,
                 with_defaults(operands.node, *std::move(starts), *std::move(ends), std::move(axes), std::move(steps)));
}

void infer_slice_1(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  outputs[0] = sliced(operands, attributes_known(operands), [&] { return requested_by_attributes(operands); });
}

void infer_slice_10(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 5);
  const ElementType index = common_element_type(operands, 1, operands.inputs.size() - 1);
  if (index != ElementType::int32) expect_type(operands, 1, ElementType::int64);
  expect_lists_of_one_length(operands);
  std::optional<Integers> starts = constant_integers(operands, 1);
  std::optional<Integers> ends = constant_integers(operands, 2);
  std::optional<Integers> axes = constant_integers(operands, 3);
  std::optional<Integers> steps = constant_integers(operands, 4);
  const bool known = starts && ends && (axes || is_left_out(operands, 3)) && (steps || is_left_out(operands, 4));
  outputs[0] = sliced(operands, known, [&] {
    return with_defaults(operands.node, *std::move(starts), *std::move(ends), std::move(axes), std::move(steps));
  });
}

}  // namespace ifcert::kernels
