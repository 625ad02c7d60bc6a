// Concat, Gather, GatherElements, Where: elements of any type moved to other positions.
#include <fmt/format.h>

#include <algorithm>

#include "operators/broadcast.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

template <class Context>
std::optional<std::int64_t> axis_attribute(const Context& operands) {
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  return axis == nullptr ? std::nullopt : std::optional(*axis);
}

std::int64_t expect_axis(const Node& node, std::optional<std::int64_t> axis) {
  if (!axis) refuse(node, "attribute axis is missing");
  return *axis;
}

// The dims of two operands of Concat joined along the axis; -1 is an unknown dim.
Dims concatenated(const Node& node, const Dims& a, const Dims& b, std::size_t axis) {
  const auto differ = [&] {
    refuse(node, fmt::format("shapes {} and {} differ in more than axis {}", to_string(static_shape(a)),
                             to_string(static_shape(b)), axis));
  };
  if (a.size() != b.size()) differ();
  Dims dims = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i == axis) {
      const bool known = a[i] >= 0 && b[i] >= 0;
      if (!known || __builtin_add_overflow(a[i], b[i], &dims[i])) dims[i] = -1;
    } else if (a[i] < 0) {
      dims[i] = b[i];
    } else if (b[i] >= 0 && a[i] != b[i]) {
      differ();
    }
  }
  return dims;
}

void evaluate_concat(const Operands& operands, std::span<Value> outputs, std::int64_t requested_axis) {
  expect_operands(operands, outputs, any_number);
  const Tensor& first = tensor_operand(operands, 0);
  const std::size_t axis = axis_from_front(operands.node, requested_axis, first.dims.size());
  Dims dims = first.dims;
  for (std::size_t i = 1; i < operands.inputs.size(); ++i) {
    expect_same_type(operands, 0, i);
    dims = concatenated(operands.node, dims, tensor_operand(operands, i).dims, axis);
  }
  Result result(operands, first.type, dims);
  const std::uint64_t rows = result.count() == 0 ? 0 : count_between(dims, 0, axis);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (const Value& value : operands.inputs) {
      const std::uint64_t length = value.tensor()->count() / rows;
      result.append(*value.tensor(), row * length, length);
    }
  }
  outputs[0] = std::move(result).value();
}

void infer_concat(const OperandTypes& operands, std::span<Type> outputs, std::optional<std::int64_t> requested_axis) {
  expect_operands(operands, outputs, 1, any_number);
  expect_none_left_out(operands);
  const ElementType element = common_element_type(operands, 0, operands.inputs.size() - 1);
  outputs[0] = Type::tensor(element);
  if (!attributes_known(operands)) return;
  expect_axis(operands.node, requested_axis);
  std::vector<Dims> known;
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    if (std::optional<Dims> dims = dims_of(operands, i)) known.push_back(*std::move(dims));
  }
  if (known.empty()) return;
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    Dims dims = known.front();
    const std::size_t axis = axis_from_front(operands.node, *requested_axis, dims.size());
    for (std::size_t i = 1; i < known.size(); ++i) dims = concatenated(operands.node, dims, known[i], axis);
    if (known.size() < operands.inputs.size()) dims[axis] = -1;
    return dims;
  });
}

Dims gathered_dims(const Dims& data, const Dims& indices, std::size_t axis) {
  Dims dims(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(axis));
  dims.insert(dims.end(), indices.begin(), indices.end());
  dims.insert(dims.end(), data.begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.end());
  return dims;
}

// Each place of the indices is one of the data, except along the axis. Sentence: operators-gatherelements-places.
void expect_part_of(const Node& node, const Dims& part, const Dims& whole, std::size_t axis) {
  bool fits = part.size() == whole.size();
  for (std::size_t i = 0; i < part.size() && fits; ++i) fits = i == axis || part[i] <= whole[i];
  if (!fits) {
    refuse(node, fmt::format("indices of shape [{}] do not fit data of shape [{}]", fmt::join(part, ", "),
                             fmt::join(whole, ", ")));
  }
}

// The indices counted from the front; refuses one that is outside a dim of that size.
Integers indices_from_front(const Operands& operands, std::int64_t size) {
  Integers indices = integer_elements(operands, 1);
  in_pieces(operands.work, indices.size(), [&](std::uint64_t first, std::uint64_t last) {
    for (std::int64_t& index : std::span(indices).subspan(first, last - first)) {
      if (index < -size || index >= size)
        refuse(operands.node, fmt::format("index {} is outside [{}, {}]", index, -size, size - 1));
      if (index < 0) index += size;
    }
  });
  return indices;
}

}  // namespace

void evaluate_concat_1(const Operands& operands, std::span<Value> outputs) {
  evaluate_concat(operands, outputs, axis_attribute(operands).value_or(1));
}

void evaluate_concat_4(const Operands& operands, std::span<Value> outputs) {
  evaluate_concat(operands, outputs, expect_axis(operands.node, axis_attribute(operands)));
}

void evaluate_gather(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& data = tensor_operand(operands, 0);
  const std::size_t axis = axis_from_front(operands.node, axis_attribute(operands).value_or(0), data.dims.size());
  const std::int64_t size = data.dims[axis];
  const Integers indices = indices_from_front(operands, size);
  Result result(operands, data.type, gathered_dims(data.dims, tensor_operand(operands, 1).dims, axis));
  if (result.count() > 0) {
    const std::uint64_t rows = count_between(data.dims, 0, axis);
    const std::uint64_t length = count_between(data.dims, axis + 1, data.dims.size());
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (const std::int64_t index : indices) {
        const std::uint64_t layer = row * static_cast<std::uint64_t>(size) + static_cast<std::uint64_t>(index);
        result.append(data, layer * length, length);
      }
    }
  }
  outputs[0] = std::move(result).value();
}

void evaluate_gather_elements(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& data = tensor_operand(operands, 0);
  const Dims& dims = tensor_operand(operands, 1).dims;
  const std::size_t axis = axis_from_front(operands.node, axis_attribute(operands).value_or(0), data.dims.size());
  expect_part_of(operands.node, dims, data.dims, axis);
  const Integers indices = indices_from_front(operands, data.dims[axis]);
  Result result(operands, data.type, dims);
  if (!indices.empty()) {
    const Dims steps = steps_of(data.dims);
    Dims at(dims.size(), 0);  // position of the index in its tensor
    for (const std::int64_t index : indices) {
      operands.work.tick(dims.size());
      std::int64_t from = index * steps[axis];
      for (std::size_t i = 0; i < dims.size(); ++i) {
        if (i != axis) from += at[i] * steps[i];
      }
      result.append(data, static_cast<std::uint64_t>(from), 1);
      for (std::size_t i = dims.size(); i-- > 0;) {
        if (++at[i] < dims[i]) break;
        at[i] = 0;
      }
    }
  }
  outputs[0] = std::move(result).value();
}

void evaluate_where(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 3);
  const Tensor& condition = tensor_operand(operands, 0, ElementType::boolean);
  expect_same_type(operands, 1, 2);
  const Tensor& x = tensor_operand(operands, 1);
  const Tensor& y = tensor_operand(operands, 2);
  const Node& node = operands.node;
  Result result(operands, x.type, broadcast_dims(node, condition.dims, broadcast_dims(node, x.dims, y.dims)));
  if (result.count() > 0) {
    BroadcastIndex in_condition(condition.dims, result.dims());
    BroadcastIndex in_x(x.dims, result.dims());
    BroadcastIndex in_y(y.dims, result.dims());
    const auto conditions = condition.elements<std::uint8_t>();
    for (std::uint64_t i = 0; i < result.count(); ++i) {
      const std::uint64_t from_x = in_x.next();
      const std::uint64_t from_y = in_y.next();
      const bool is_x = conditions[in_condition.next()] != 0;
      result.append(is_x ? x : y, is_x ? from_x : from_y, 1);
    }
  }
  outputs[0] = std::move(result).value();
}

void infer_concat_1(const OperandTypes& operands, std::span<Type> outputs) {
  infer_concat(operands, outputs, axis_attribute(operands).value_or(1));
}

void infer_concat_4(const OperandTypes& operands, std::span<Type> outputs) {
  infer_concat(operands, outputs, axis_attribute(operands));
}

void infer_gather(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  outputs[0] = Type::tensor(element_type(operands, 0));
  const ElementType index = element_type(operands, 1);
  if (index != ElementType::int32) expect_type(operands, 1, ElementType::int64);
  const std::optional<Dims> data = dims_of(operands, 0);
  const std::optional<Dims> indices = dims_of(operands, 1);
  if (!data || !indices || !attributes_known(operands)) return;
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    const std::int64_t axis = axis_attribute(operands).value_or(0);
    return gathered_dims(*data, *indices, axis_from_front(operands.node, axis, data->size()));
  });
}

void infer_gather_elements(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  const ElementType index = element_type(operands, 1);
  if (index != ElementType::int32) expect_type(operands, 1, ElementType::int64);
  outputs[0] = Type::tensor(element_type(operands, 0), tensor_type(operands, 1).shape);
  const std::optional<Dims> data = dims_of(operands, 0);
  const std::optional<Dims> indices = dims_of(operands, 1);
  if (!data || !indices || !attributes_known(operands)) return;
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    axis_from_front(operands.node, axis_attribute(operands).value_or(0), data->size());
    if (data->size() == indices->size()) return *indices;
    refuse(operands.node, fmt::format("indices of rank {} do not fit data of rank {}", indices->size(), data->size()));
  });
}

void infer_where(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  expect_type(operands, 0, ElementType::boolean);
  outputs[0] = Type::tensor(common_element_type(operands, 1, 2));
  const std::optional<Dims> condition = dims_of(operands, 0);
  const std::optional<Dims> x = dims_of(operands, 1);
  const std::optional<Dims> y = dims_of(operands, 2);
  const Node& node = operands.node;
  outputs[0].shape = shape_if_it_fits(operands, [&] {  // an operand of unknown rank does not take part
    return broadcast_dims(node, condition.value_or(Dims{}),
                          broadcast_dims(node, x.value_or(Dims{}), y.value_or(Dims{})));
  });
  if (!condition || !x || !y) outputs[0].shape.reset();
}

}  // namespace ifcert::kernels
