// Pad: adds elements before and after each axis, or removes them where a pad is negative.
#include <fmt/format.h>

#include <algorithm>

#include "operators/elementwise.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

enum class Mode : std::uint8_t { constant, reflect, edge, wrap };

constexpr std::int64_t outside = -1;

template <class Context>
Mode mode_of(const Context& operands, bool wraps) {
  const auto* mode = operands.template attribute<std::string>("mode");
  if (mode == nullptr || *mode == "constant") return Mode::constant;
  if (*mode == "reflect") return Mode::reflect;
  if (*mode == "edge") return Mode::edge;
  if (*mode == "wrap" && wraps) return Mode::wrap;
  refuse(operands.node, fmt::format("attribute mode is \"{}\"; expected constant, reflect{}", *mode,
                                    wraps ? ", edge or wrap" : " or edge"));
}

// One axis: `from` elements of the operand remain, beginning with `first`; `before` elements come before them, and the
// result has `to`. -1 is an unknown dim.
struct PaddedAxis {
  std::int64_t first = 0;
  std::int64_t from = 0;
  std::int64_t before = 0;
  std::int64_t to = 0;
};

PaddedAxis padded_axis(const Node& node, std::int64_t dim, std::int64_t before, std::int64_t after) {
  if (dim < 0) return {0, -1, 0, -1};
  PaddedAxis axis{std::max<std::int64_t>(-std::max(before, -dim - 1), 0), 0, std::max<std::int64_t>(before, 0), 0};
  std::int64_t sum = 0;
  const bool overflows = __builtin_add_overflow(dim, before, &sum) || __builtin_add_overflow(sum, after, &axis.to);
  axis.from = dim - axis.first - std::max<std::int64_t>(-std::max(after, -dim - 1), 0);
  if (overflows || axis.to < 0 || axis.from < 0) {
    refuse(node, fmt::format("an axis of size {} cannot be padded by {} and {}", dim, before, after));
  }
  return axis;
}

// `pads` has the pads before each of `axes`, then those after; nullptr means all axes.
std::vector<PaddedAxis> padded(const Node& node, const Dims& dims, const Integers& pads, const Integers* axes) {
  const std::size_t count = axes == nullptr ? dims.size() : axes->size();
  if (pads.size() / 2 != count || pads.size() % 2 != 0) {
    refuse(node, fmt::format("{} pads are given for {} axes; expected two for each", pads.size(), count));
  }
  std::vector<PaddedAxis> result;
  for (const std::int64_t dim : dims) result.push_back({0, dim, 0, dim});
  std::vector<bool> seen(dims.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes == nullptr ? i : axis_from_front(node, (*axes)[i], dims.size());
    // Sentence: operators-pad-axis-repeated.
    if (seen[axis]) throw NotInferred(fmt::format("{}: axis {} is given twice", node.op, (*axes)[i]));
    seen[axis] = true;
    result[axis] = padded_axis(node, dims[axis], pads[i], pads[count + i]);
  }
  return result;
}

Dims padded_dims(const std::vector<PaddedAxis>& axes) {
  Dims dims;
  for (const PaddedAxis& axis : axes) dims.push_back(axis.to);
  return dims;
}

std::int64_t modulo(std::int64_t x, std::int64_t n) {
  return (x % n + n) % n;
}

// The index in the operand of element `i` of the result, or `outside`.
std::int64_t element_at(const PaddedAxis& axis, Mode mode, std::int64_t i) {
  const std::int64_t x = i - axis.before;
  if (x >= 0 && x < axis.from) return axis.first + x;
  switch (mode) {
    case Mode::constant:
      return outside;
    case Mode::edge:
      return axis.first + (x < 0 ? 0 : axis.from - 1);
    case Mode::wrap:
      return axis.first + modulo(x, axis.from);
    case Mode::reflect:  // there and back, without the ends twice
      if (axis.from == 1) return axis.first;
      const std::int64_t there = modulo(x, 2 * (axis.from - 1));
      return axis.first + std::min(there, 2 * (axis.from - 1) - there);
  }
  return outside;
}

// Appends one row along the last axis, whose operand elements begin at `row`, or a row of `fill` alone.
void append_row(const Tensor& tensor, const Tensor& fill, const PaddedAxis& axis, Mode mode, std::int64_t row,
                Result& result) {
  const auto append_padding = [&](std::int64_t i) {
    const std::int64_t element = row == outside ? outside : element_at(axis, mode, i);
    if (element == outside) {
      result.append(fill, 0, 1);
    } else {
      result.append(tensor, static_cast<std::uint64_t>(row + element), 1);
    }
  };
  const std::int64_t kept = row == outside ? 0 : axis.from;
  for (std::int64_t i = 0; i < axis.before; ++i) append_padding(i);
  if (kept > 0) result.append(tensor, static_cast<std::uint64_t>(row + axis.first), static_cast<std::uint64_t>(kept));
  for (std::int64_t i = axis.before + kept; i < axis.to; ++i) append_padding(i);
}

// The result's elements, row by row. It must have some, and so must the operand unless the mode is constant.
void append_padded(const Work& work, const Tensor& tensor, const Tensor& fill, const std::vector<PaddedAxis>& axes,
                   Mode mode, Result& result) {
  const bool empty = tensor.count() == 0;
  const Dims steps = empty ? Dims(axes.size(), 0) : steps_of(tensor.dims);
  Dims at(axes.size() - 1, 0);
  while (true) {
    work.tick(at.size());
    std::int64_t row = empty ? outside : 0;
    for (std::size_t i = 0; i < at.size() && row != outside; ++i) {
      const std::int64_t element = element_at(axes[i], mode, at[i]);
      row = element == outside ? outside : row + element * steps[i];
    }
    append_row(tensor, fill, axes.back(), mode, row, result);
    std::size_t axis = at.size();
    while (axis > 0 && ++at[axis - 1] == axes[axis - 1].to) at[--axis] = 0;
    if (axis == 0) return;
  }
}

void evaluate_pad(const Operands& operands, std::span<Value> outputs, const std::vector<PaddedAxis>& axes, Mode mode,
                  const Tensor& fill) {
  const Tensor& tensor = tensor_operand(operands, 0);
  if (axes.empty()) {
    outputs[0] = operands.inputs[0];
    return;
  }
  Result result(operands, tensor.type, padded_dims(axes));
  if (result.count() > 0) {
    const bool nothing = std::any_of(axes.begin(), axes.end(), [](const PaddedAxis& axis) { return axis.from == 0; });
    if (nothing && mode != Mode::constant) refuse(operands.node, "there are no elements to pad with");
    append_padded(operands.work, tensor, fill, axes, mode, result);
  }
  outputs[0] = std::move(result).value();
}

// The default element of the constant mode.
Value zero_of(const Operands& operands, ElementType type) {
  return Result(operands, type, {}).value();
}

// Versions 1 and 2: the pads and the value are attributes; only floating point.
template <class Context>
const Integers& pads_attribute(const Context& operands, std::string_view name) {
  const auto* pads = operands.template attribute<Integers>(name);
  if (pads == nullptr) refuse(operands.node, fmt::format("attribute {} is missing", name));
  return *pads;
}

void evaluate_by_attributes(const Operands& operands, std::span<Value> outputs, std::string_view name) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const auto* value = operands.attribute<float>("value");
  Result fill(operands, tensor.type, {});
  const bool done = visit_floating(tensor.type, [&]<class T>() {
    fill.elements<T>()[0] = element_of<T>(static_cast<double>(value == nullptr ? 0 : *value));
  });
  if (!done) refuse_type(operands.node, tensor.type);
  const std::vector<PaddedAxis> axes = padded(operands.node, tensor.dims, pads_attribute(operands, name), nullptr);
  evaluate_pad(operands, outputs, axes, mode_of(operands, false), *std::move(fill).value().tensor());
}

void evaluate_by_operands(const Operands& operands, std::span<Value> outputs, std::size_t most, bool wraps) {
  expect_operands(operands, outputs, most);
  const Tensor& tensor = tensor_operand(operands, 0);
  tensor_operand(operands, 1, ElementType::int64);
  const Value zero = operands.input(2).empty() ? zero_of(operands, tensor.type) : Value{};
  const Tensor& fill = zero.empty() ? tensor_operand(operands, 2, tensor.type) : *zero.tensor();
  if (fill.count() != 1) refuse(operands.node, "operand 2, the constant value, is not a scalar");
  const std::optional<Integers> requested = integer_list(operands, 3);
  const std::vector<PaddedAxis> axes =
      padded(operands.node, tensor.dims, *integer_list(operands, 1), requested ? &*requested : nullptr);
  evaluate_pad(operands, outputs, axes, mode_of(operands, wraps), fill);
}

// Where they depend on the run, `pads` is nullptr and `axes_known` false.
void infer_pad(const OperandTypes& operands, std::span<Type> outputs, const Integers* pads, const Integers* axes,
               bool axes_known) {
  outputs[0] = Type::tensor(element_type(operands, 0));
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims) return;
  outputs[0].shape = Shape(dims->size());
  if (pads == nullptr || !axes_known) return;
  outputs[0].shape = shape_if_it_fits(operands, [&] { return padded_dims(padded(operands.node, *dims, *pads, axes)); });
}

void infer_by_attributes(const OperandTypes& operands, std::span<Type> outputs, std::string_view name) {
  expect_operands(operands, outputs, 1, 1);
  if (attributes_known(operands)) mode_of(operands, false);
  const Integers* pads = attributes_known(operands) ? &pads_attribute(operands, name) : nullptr;
  infer_pad(operands, outputs, pads, nullptr, true);
}

// Two for each of the axes in operand 3 or, without it, of the operand. Sentence: operators-pad-length.
void expect_pads_for_axes(const OperandTypes& operands) {
  const std::optional<std::int64_t> pads = list_length(operands, 1);
  const std::optional<Dims> dims = dims_of(operands, 0);
  const bool all_axes = is_left_out(operands, 3);
  if (!all_axes && dims) expect_few_axes(operands, 3, dims->size());
  std::optional<std::int64_t> axes = all_axes ? std::nullopt : list_length(operands, 3);
  if (all_axes && dims) axes = static_cast<std::int64_t>(dims->size());
  if (!pads || !axes || *pads == 2 * *axes) return;
  report_misfit(operands, fmt::format("{} pads are given for {} axes; expected two for each", *pads, *axes));
}

void infer_by_operands(const OperandTypes& operands, std::span<Type> outputs, std::size_t most, bool wraps) {
  expect_operands(operands, outputs, 2, most);
  expect_type(operands, 1, ElementType::int64);
  if (attributes_known(operands)) mode_of(operands, wraps);
  expect_pads_for_axes(operands);
  const std::optional<Integers> pads = constant_integers(operands, 1);
  const std::optional<Integers> axes = constant_integers(operands, 3);
  infer_pad(operands, outputs, pads ? &*pads : nullptr, axes ? &*axes : nullptr, axes || is_left_out(operands, 3));
}

}  // namespace

void evaluate_pad_1(const Operands& operands, std::span<Value> outputs) {
  evaluate_by_attributes(operands, outputs, "paddings");
}

void evaluate_pad_2(const Operands& operands, std::span<Value> outputs) {
  evaluate_by_attributes(operands, outputs, "pads");
}

void evaluate_pad_11(const Operands& operands, std::span<Value> outputs) {
  evaluate_by_operands(operands, outputs, 3, false);
}

void evaluate_pad_18(const Operands& operands, std::span<Value> outputs) {
  evaluate_by_operands(operands, outputs, 4, false);
}

void evaluate_pad_19(const Operands& operands, std::span<Value> outputs) {
  evaluate_by_operands(operands, outputs, 4, true);
}

void infer_pad_1(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_attributes(operands, outputs, "paddings");
}

void infer_pad_2(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_attributes(operands, outputs, "pads");
}

void infer_pad_11(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_operands(operands, outputs, 3, false);
}

void infer_pad_18(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_operands(operands, outputs, 4, false);
}

void infer_pad_19(const OperandTypes& operands, std::span<Type> outputs) {
  infer_by_operands(operands, outputs, 4, true);
}

}  // namespace ifcert::kernels
