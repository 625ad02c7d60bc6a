// ArgMax: the index of the greatest element along an axis.
#include <fmt/format.h>

#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

template <class Context>
std::size_t requested_axis(const Context& operands, std::size_t rank) {
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  return axis_from_front(operands.node, axis == nullptr ? 0 : *axis, rank);
}

template <class Context>
Dims without(const Context& operands, Dims dims, std::size_t axis) {
  if (flag(operands, "keepdims", true)) {
    dims[axis] = 1;
  } else {
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  return dims;
}

// `last`: of several greatest elements the last one is found, not the first.
template <class T>
void find_greatest(const Work& work, std::span<const T> elements, std::size_t length, std::size_t step, bool last,
                   std::span<std::int64_t> found) {
  for (std::size_t index = 0; index < found.size(); ++index) {
    const T* first = elements.data() + index / step * length * step + index % step;
    std::size_t best = 0;
    in_pieces(work, length, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto element = number_of(first[i * step]);
        const auto so_far = number_of(first[best * step]);
        if (element > so_far || (last && element == so_far)) best = i;
      }
    });
    found[index] = static_cast<std::int64_t>(best);
  }
}

}  // namespace

void evaluate_arg_max(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const std::size_t axis = requested_axis(operands, tensor.dims.size());
  Result result(operands, ElementType::int64, without(operands, tensor.dims, axis));
  const bool last = flag(operands, "select_last_index");
  const bool done = visit_numeric(tensor.type, [&]<class T>() {
    if (result.count() == 0) return;
    if (tensor.dims[axis] == 0) refuse(operands.node, fmt::format("axis {} has no elements", axis));
    std::size_t step = 1;
    for (std::size_t i = axis + 1; i < tensor.dims.size(); ++i) step *= static_cast<std::size_t>(tensor.dims[i]);
    find_greatest<T>(operands.work, tensor.elements<T>(), static_cast<std::size_t>(tensor.dims[axis]), step, last,
                     result.elements<std::int64_t>());
  });
  if (!done) {
    refuse(operands.node, fmt::format("operand 0 is tensor({}), which it does not accept", name_of(tensor.type)));
  }
  outputs[0] = std::move(result).value();
}

void infer_arg_max(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const ElementType element = element_type(operands, 0);
  if (element != ElementType::undefined && !is_numeric(element)) {
    refuse(operands.node, fmt::format("operand 0 is tensor({}), which it does not accept", name_of(element)));
  }
  outputs[0] = Type::tensor(ElementType::int64);
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands)) return;
  outputs[0].shape =
      shape_if_it_fits(operands, [&] { return without(operands, *dims, requested_axis(operands, dims->size())); });
}

}  // namespace ifcert::kernels
