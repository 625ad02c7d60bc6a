// NonZero: the indices of the elements that are not zero.
#include <fmt/format.h>

#include "operators/numeric.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

/// Calls f(i) for each element i that is not zero, in row-major order.
template <class F>
void each_found(const Operands& operands, const Tensor& tensor, F f) {
  const auto look = [&](auto elements) {
    in_pieces(operands.work, elements.size(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) {
        if (number_of(elements[i]) != 0) f(i);
      }
    });
  };
  if (tensor.type == ElementType::boolean) return look(tensor.elements<std::uint8_t>());
  if (!visit_numeric(tensor.type, [&]<class T>() { look(tensor.elements<T>()); }))
    refuse_missing(operands.node, fmt::format("operand 0 is tensor({}), which is not supported", name_of(tensor.type)));
}

}  // namespace

/// A scalar has no axis, so its result has no row. Sentence: operators-nonzero-scalar.
void evaluate_non_zero(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const std::size_t rank = tensor.dims.size();
  std::uint64_t count = 0;
  each_found(operands, tensor, [&](std::uint64_t) { ++count; });
  Result result(operands, ElementType::int64, {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(count)});
  const auto indices = result.elements<std::int64_t>();
  std::uint64_t number = 0;
  each_found(operands, tensor, [&](std::uint64_t i) {
    operands.work.tick(rank);
    for (std::size_t axis = rank; axis-- > 0;) {
      const auto size = static_cast<std::uint64_t>(tensor.dims[axis]);
      indices[axis * count + number] = static_cast<std::int64_t>(i % size);
      i /= size;
    }
    ++number;
  });
  outputs[0] = std::move(result).value();
}

void infer_non_zero(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  tensor_type(operands, 0);
  const std::optional<Dims> dims = dims_of(operands, 0);
  outputs[0] =
      Type::tensor(ElementType::int64, static_shape({dims ? static_cast<std::int64_t>(dims->size()) : -1, -1}));
}

}  // namespace ifcert::kernels
