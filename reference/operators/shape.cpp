// Shape and Size.
#include <algorithm>
#include <utility>

#include "operators/onnx_operators.hpp"
#include "operators/operands.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

// An axis counted from the front and clamped to [0, rank].
std::size_t clamped_axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  return static_cast<std::size_t>(std::clamp(axis < 0 ? axis + signed_rank : axis, std::int64_t{0}, signed_rank));
}

struct Range {
  std::size_t first;
  std::size_t count;
};

template <class Context>
Range requested_axes(const Context& operands, std::size_t rank) {
  const auto* start = operands.template attribute<std::int64_t>("start");
  const auto* end = operands.template attribute<std::int64_t>("end");
  const std::size_t first = start == nullptr ? 0 : clamped_axis(*start, rank);
  const std::size_t last = end == nullptr ? rank : clamped_axis(*end, rank);
  return {first, last > first ? last - first : 0};
}

}  // namespace

void evaluate_shape(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Dims& dims = tensor_operand(operands, 0).dims;
  const Range range = requested_axes(operands, dims.size());
  const auto requested = std::span(dims).subspan(range.first, range.count);
  Result result(operands, ElementType::int64, {static_cast<std::int64_t>(requested.size())});
  std::ranges::copy(requested, result.elements<std::int64_t>().begin());
  outputs[0] = std::move(result).value();
}

void evaluate_size(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const auto count = static_cast<std::int64_t>(tensor_operand(operands, 0).count());
  outputs[0] = make_tensor<std::int64_t>(ElementType::int64, {}, std::span(&count, 1));
}

void infer_shape(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const std::optional<Dims> dims = dims_of(operands, 0);
  const bool known = dims && attributes_known(operands);
  const auto count = known ? static_cast<std::int64_t>(requested_axes(operands, dims->size()).count) : -1;
  outputs[0] = Type::tensor(ElementType::int64, Shape{{count, {}}});
}

void infer_size(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  tensor_type(operands, 0);
  outputs[0] = Type::tensor(ElementType::int64, Shape{});
}

}  // namespace ifcert::kernels
