// Expand, Tile: repeated elements.
#include <fmt/format.h>

#include <algorithm>

#include "operators/broadcast.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

// The dims to which the operand's dims and the requested ones broadcast; -1 is an unknown dim of the operand.
Dims expanded(const Node& node, const Dims& from, const Integers& requested) {
  for (const std::int64_t dim : requested) {
    if (dim < 0) refuse(node, fmt::format("the shape [{}] has a negative dim", fmt::join(requested, ", ")));
  }
  return broadcast_dims(node, from, requested);
}

// Each dim times its repeats; -1 is an unknown dim.
Dims tiled(const Node& node, const Dims& from, const Integers& repeats) {
  if (repeats.size() != from.size()) {
    refuse(node, fmt::format("{} repeats are given for {} axes", repeats.size(), from.size()));
  }
  Dims to = from;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (repeats[i] < 0) refuse(node, fmt::format("axis {} is repeated {} times", i, repeats[i]));
    if (to[i] >= 0 && __builtin_mul_overflow(to[i], repeats[i], &to[i])) {
      refuse(node, fmt::format("axis {} repeated {} times has more elements than 64 bits can count", i, repeats[i]));
    }
  }
  return to;
}

Integers list_operand(const Operands& operands, std::size_t i) {
  tensor_operand(operands, i, ElementType::int64);
  return *integer_list(operands, i);
}

// The specification leaves a negative dim undefined: a run refuses it, inference does not, as some exporters write -1.
Dims inferred_expanded(const Node& node, const Dims& from, const Integers& requested) {
  if (std::ranges::any_of(requested, [](std::int64_t dim) { return dim < 0; })) throw NotInferred("a negative dim");
  return expanded(node, from, requested);
}

template <class Compute>
void infer_expanded_or_tiled(const OperandTypes& operands, std::span<Type> outputs, Compute dims) {
  expect_operands(operands, outputs, 2, 2);
  expect_type(operands, 1, ElementType::int64);
  outputs[0] = Type::tensor(element_type(operands, 0));
  const std::optional<Dims> from = dims_of(operands, 0);
  const std::optional<Integers> requested = constant_integers(operands, 1);
  if (from && requested)
    outputs[0].shape = shape_if_it_fits(operands, [&] { return dims(operands.node, *from, *requested); });
}

}  // namespace

void evaluate_expand(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& tensor = tensor_operand(operands, 0);
  Result result(operands, tensor.type, expanded(operands.node, tensor.dims, list_operand(operands, 1)));
  if (result.count() > 0) {
    const Dims steps = steps_of(tensor.dims);
    const std::size_t added = result.dims().size() - tensor.dims.size();
    std::vector<Stride> axes;
    for (std::size_t i = 0; i < result.dims().size(); ++i) {
      const bool repeated = i < added || tensor.dims[i - added] == 1;
      axes.push_back({result.dims()[i], repeated ? 0 : steps[i - added]});
    }
    append_strided(tensor, 0, std::move(axes), result);
  }
  outputs[0] = std::move(result).value();
}

void evaluate_tile(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& tensor = tensor_operand(operands, 0);
  const Integers repeats = list_operand(operands, 1);
  Result result(operands, tensor.type, tiled(operands.node, tensor.dims, repeats));
  if (result.count() > 0) {
    const Dims steps = steps_of(tensor.dims);
    std::vector<Stride> axes;
    for (std::size_t i = 0; i < repeats.size(); ++i) {
      axes.push_back({repeats[i], 0});
      axes.push_back({tensor.dims[i], steps[i]});
    }
    append_strided(tensor, 0, std::move(axes), result);
  }
  outputs[0] = std::move(result).value();
}

void infer_expand(const OperandTypes& operands, std::span<Type> outputs) {
  list_length(operands, 1);
  infer_expanded_or_tiled(operands, outputs, inferred_expanded);
}

void infer_tile(const OperandTypes& operands, std::span<Type> outputs) {
  const std::optional<std::int64_t> repeats = list_length(operands, 1);
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (repeats && dims && *repeats != std::ssize(*dims))
    report_misfit(operands, fmt::format("{} repeats are given for {} axes", *repeats, dims->size()));
  infer_expanded_or_tiled(operands, outputs, tiled);
}

}  // namespace ifcert::kernels
