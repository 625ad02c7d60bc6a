// Gather, with batches and with indices out of range.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "operators/batched_gather.hpp"
#include "operators/openvino_operands.hpp"
#include "operators/openvino_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels::openvino {
namespace {

/// The operands of the gathering; indices count from the front.
struct Gathered {
  Value data, indices;
  std::size_t axis = 0;
};

/// The data with a layer of zeros appended to the axis, to which indices outside of the range refer.
/// Sentence: operations-gather-zeros.
void lead_to_zeros(const Operands& operands, Gathered& gathered, Integers& indices) {
  const Tensor& data = *gathered.data.tensor();
  const std::int64_t size = data.dims[gathered.axis];
  const auto is_outside = [&](std::int64_t index) { return index < -size || index >= size; };
  if (std::ranges::none_of(indices, is_outside)) return;
  std::ranges::replace_if(indices, is_outside, size);
  for (std::int64_t& index : indices) index += index < 0 ? size : 0;
  Dims dims = data.dims;
  dims[gathered.axis] = 1;
  const Value zeros = Result(operands, data.type, dims).value();
  Value longer;
  call(evaluate_concat_4, operands, std::span(&longer, 1), {gathered.data, zeros},
       {{"axis", static_cast<std::int64_t>(gathered.axis)}});
  gathered.data = std::move(longer);
}

}  // namespace

void evaluate_gather(const Operands& operands, std::span<Value> outputs) {
  expect_count(operands, 3, 3);
  expect_operands(operands, outputs, 3);
  Gathered gathered{operands.input(0), {}, 0};
  gathered.axis = axis_from_front(operands.node, one_integer(operands, 2), tensor_operand(operands, 0).dims.size());
  Integers indices = all_integers(operands, 1);
  if (operands.node.version >= 8) lead_to_zeros(operands, gathered, indices);
  gathered.indices = make_tensor<std::int64_t>(ElementType::int64, tensor_operand(operands, 1).dims, indices);
  outputs[0] =
      batched_gather(operands, gathered.data, gathered.indices, gathered.axis, integer(operands, "batch_dims", "0"));
}

}  // namespace ifcert::kernels::openvino
