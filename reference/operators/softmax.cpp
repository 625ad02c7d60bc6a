// Softmax: e^x divided by the sum of all e^x; computed as double and rounded once.
#include <fmt/format.h>

#include <cmath>

#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

// The groups that are normalized together: outer·step groups of `length` elements that are `step` apart.
struct Layers {
  std::size_t outer;
  std::size_t length;
  std::size_t step;
};

template <class T>
void normalize(const Work& work, std::span<const T> from, const Layers& layers, std::span<T> to) {
  auto powers = scratch<double>(work, layers.length, [] { return "the powers of a layer"; });
  for (std::size_t layer = 0; layer < layers.outer * layers.step; ++layer) {
    const std::size_t first = layer / layers.step * layers.length * layers.step + layer % layers.step;
    const auto at = [&](std::size_t i) { return first + i * layers.step; };
    double most = -HUGE_VAL;
    for (std::size_t i = 0; i < layers.length; ++i) most = std::fmax(most, static_cast<double>(number_of(from[at(i)])));
    double sum = 0;
    in_pieces(work, layers.length, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        powers[i] = std::exp(static_cast<double>(number_of(from[at(i)])) - most);
        sum += powers[i];
      }
    });
    for (std::size_t i = 0; i < layers.length; ++i) to[at(i)] = element_of<T>(powers[i] / sum);
  }
}

template <class Context>
std::size_t softmax_axis(const Context& operands, std::int64_t otherwise, std::size_t rank) {
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  return axis_from_front(operands.node, axis == nullptr ? otherwise : *axis, rank);
}

// All axes from this one on are one. Before version 11 the axis may be the rank, as the default 1 is that of a list:
// then the second dimension has no factors. Sentences: operators-softmax-11-coerced, operators-softmax-11-axis-range.
template <class Context>
std::size_t coerced_axis(const Context& operands, std::size_t rank) {
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  const bool is_rank = (axis == nullptr ? 1 : *axis) == static_cast<std::int64_t>(rank);
  return is_rank && operands.node.version < 11 ? rank : softmax_axis(operands, 1, rank);
}

void evaluate_softmax(const Operands& operands, std::span<Value> outputs, std::size_t first, std::size_t last) {
  const Tensor& tensor = tensor_operand(operands, 0);
  Result result(operands, tensor.type, tensor.dims);
  const bool done = visit_floating(tensor.type, [&]<class T>() {
    if (result.count() == 0) return;
    const Layers layers{count_between(tensor.dims, 0, first), count_between(tensor.dims, first, last),
                        count_between(tensor.dims, last, tensor.dims.size())};
    normalize<T>(operands.work, tensor.elements<T>(), layers, result.elements<T>());
  });
  if (!done) {
    refuse(operands.node, fmt::format("operand 0 is tensor({}), which it does not accept", name_of(tensor.type)));
  }
  outputs[0] = std::move(result).value();
}

template <class Axis>
void infer_softmax(const OperandTypes& operands, std::span<Type> outputs, Axis axis_of) {
  infer_function(operands, outputs);
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands)) return;
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    axis_of(dims->size());
    return *dims;
  });
}

}  // namespace

void evaluate_softmax_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const std::size_t rank = tensor_operand(operands, 0).dims.size();
  evaluate_softmax(operands, outputs, coerced_axis(operands, rank), rank);
}

void evaluate_softmax_13(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const std::size_t axis = softmax_axis(operands, -1, tensor_operand(operands, 0).dims.size());
  evaluate_softmax(operands, outputs, axis, axis + 1);
}

void infer_softmax_1(const OperandTypes& operands, std::span<Type> outputs) {
  infer_softmax(operands, outputs, [&](std::size_t rank) { coerced_axis(operands, rank); });
}

void infer_softmax_13(const OperandTypes& operands, std::span<Type> outputs) {
  infer_softmax(operands, outputs, [&](std::size_t rank) { softmax_axis(operands, -1, rank); });
}

}  // namespace ifcert::kernels
