// Identity, Reshape, Squeeze, Unsqueeze: other dims, the same elements.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

// Dims may be unknown, -1, before a run. Known dims are checked in the same way before a run and in it.

bool is_known(const Dims& dims) {
  return std::none_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim < 0; });
}

std::string text(const Dims& dims) {
  return to_string(static_shape(dims));
}

// The number of elements; refuses one that does not fit 64 bits.
std::uint64_t count_of(const Node& node, const Dims& dims) {
  try {
    return element_count(dims);
  } catch (const std::length_error& error) {
    throw NotInferred(fmt::format("{}: {}", node.op, error.what()));
  }
}

// The dim in place of -1 with which the number of elements stays the same.
std::int64_t missing_dim(const Node& node, const Dims& from, Dims to, std::size_t missing) {
  to[missing] = 1;
  if (!is_known(from) || !is_known(to)) return -1;
  const std::uint64_t count = count_of(node, from);
  const std::uint64_t others = count_of(node, to);
  to[missing] = -1;
  if (others == 0 || count % others != 0) {
    refuse(node, fmt::format("shape {} cannot hold {} elements for any value of -1", text(to), count));
  }
  return static_cast<std::int64_t>(count / others);
}

void expect_as_many(const Node& node, const Dims& from, const Dims& to) {
  if (!is_known(from) || !is_known(to) || count_of(node, from) == count_of(node, to)) return;
  refuse(node,
         fmt::format("{} has {} elements, but the new shape {} does not", text(from), count_of(node, from), text(to)));
}

Dims reshaped(const Node& node, const Dims& from, const Integers& requested, bool allow_zero) {
  Dims to(requested.begin(), requested.end());
  std::size_t missing = to.size();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (requested[i] < -1)
      refuse(node, fmt::format("the new shape [{}] has a negative dim", fmt::join(requested, ", ")));
    if (requested[i] == -1) {
      if (missing != to.size()) refuse(node, "the new shape has -1 more than once");
      missing = i;
    }
    if (requested[i] == 0 && !allow_zero) {
      if (i >= from.size()) refuse(node, fmt::format("the new shape copies dim {} of {}", i, text(from)));
      to[i] = from[i];
    }
  }
  if (missing == to.size()) {
    expect_as_many(node, from, to);
    return to;
  }
  if (allow_zero && std::find(requested.begin(), requested.end(), 0) != requested.end()) {
    refuse(node, "the new shape has both 0 and -1, and allowzero is set");
  }
  to[missing] = missing_dim(node, from, to, missing);
  return to;
}

// Without axes every dim of size 1 is removed.
Dims squeezed(const Node& node, const Dims& from, const std::optional<Integers>& axes) {
  std::vector<bool> gone(from.size());
  for (std::size_t i = 0; i < from.size() && !axes; ++i) gone[i] = from[i] == 1;
  for (const std::int64_t requested : axes.value_or(Integers{})) {
    const std::size_t axis = axis_from_front(node, requested, from.size());
    if (from[axis] > 1 || from[axis] == 0)
      refuse(node, fmt::format("axis {} of {} is not of size 1", requested, text(from)));
    gone[axis] = true;
  }
  Dims to;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!gone[i]) to.push_back(from[i]);
  }
  return to;
}

Dims unsqueezed(const Node& node, const Dims& from, const Integers& axes) {
  const std::size_t rank = from.size() + axes.size();
  std::vector<bool> inserted(rank);
  for (const std::int64_t requested : axes) {
    const std::size_t axis = axis_from_front(node, requested, rank);
    if (inserted[axis]) refuse(node, fmt::format("axis {} is given twice", requested));
    inserted[axis] = true;
  }
  Dims to(rank, 1);
  auto dim = from.begin();
  for (std::size_t i = 0; i < rank; ++i) {
    if (!inserted[i]) to[i] = *dim++;
  }
  return to;
}

template <class Context>
std::optional<Integers> list_attribute(const Context& operands, std::string_view name) {
  const auto* list = operands.template attribute<Integers>(name);
  return list == nullptr ? std::nullopt : std::optional(*list);
}

Integers required_list(const Node& node, std::optional<Integers> list, std::string_view name) {
  if (!list) refuse(node, fmt::format("{} is not given", name));
  return *std::move(list);
}

// A required attribute; empty in a function before a call supplies it.
Integers known_list(const OperandTypes& operands, std::string_view name) {
  return attributes_known(operands) ? required_list(operands.node, list_attribute(operands, name), name) : Integers{};
}

void evaluate_reshape(const Operands& operands, std::span<Value> outputs, const Integers& requested, bool allow_zero) {
  const Tensor& tensor = tensor_operand(operands, 0);
  outputs[0] = with_dims(operands, tensor, reshaped(operands.node, tensor.dims, requested, allow_zero));
}

// The inferred type of a result that has the elements of operand 0, with dims computed from its dims.
template <class Compute>
Type same_elements(const OperandTypes& operands, bool known, Compute compute) {
  const std::optional<Dims> from = dims_of(operands, 0);
  const ElementType element = element_type(operands, 0);
  if (!from || !known) return Type::tensor(element);
  return Type::tensor(element, shape_if_it_fits(operands, [&] { return compute(*from); }));
}

}  // namespace

void evaluate_identity(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  if (operands.input(0).empty()) refuse(operands.node, "operand 0 is left out");
  outputs[0] = operands.inputs[0];
}

void evaluate_reshape_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  evaluate_reshape(operands, outputs, required_list(operands.node, list_attribute(operands, "shape"), "shape"), false);
}

void evaluate_reshape_5(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  tensor_operand(operands, 1, ElementType::int64);
  evaluate_reshape(operands, outputs, *integer_list(operands, 1), flag(operands, "allowzero"));
}

void evaluate_squeeze_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  outputs[0] = with_dims(operands, tensor, squeezed(operands.node, tensor.dims, list_attribute(operands, "axes")));
}

void evaluate_squeeze_13(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& tensor = tensor_operand(operands, 0);
  outputs[0] = with_dims(operands, tensor, squeezed(operands.node, tensor.dims, integer_list(operands, 1)));
}

void evaluate_unsqueeze_1(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 1);
  const Tensor& tensor = tensor_operand(operands, 0);
  const Integers axes = required_list(operands.node, list_attribute(operands, "axes"), "axes");
  outputs[0] = with_dims(operands, tensor, unsqueezed(operands.node, tensor.dims, axes));
}

void evaluate_unsqueeze_13(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 2);
  const Tensor& tensor = tensor_operand(operands, 0);
  // The specification requires a list; the onnx package's own tests of Loop pass a scalar, which is unambiguous.
  const bool one = !operands.input(1).empty() && tensor_operand(operands, 1).dims.empty();
  const Integers axes = one ? integer_elements(operands, 1)
                            : required_list(operands.node, integer_list(operands, 1), "operand 1, the axes,");
  outputs[0] = with_dims(operands, tensor, unsqueezed(operands.node, tensor.dims, axes));
}

void infer_identity(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  outputs[0] = *operands.inputs[0];
}

void infer_reshape_1(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const Integers requested = known_list(operands, "shape");
  outputs[0] = same_elements(operands, attributes_known(operands),
                             [&](const Dims& from) { return reshaped(operands.node, from, requested, false); });
}

namespace {

// A new shape without dims is that of a scalar.
void expect_one_element_for_no_dims(const OperandTypes& operands) {
  const std::optional<std::int64_t> length = list_length(operands, 1);
  if (length && *length == 0) expect_one_element(operands, 0, any_number);
}

}  // namespace

void infer_reshape_5(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type(operands, 1, ElementType::int64);
  const std::optional<Integers> requested = constant_integers(operands, 1);
  if (attributes_known(operands)) flag(operands, "allowzero");
  expect_one_element_for_no_dims(operands);
  outputs[0] = same_elements(operands, requested && attributes_known(operands), [&](const Dims& from) {
    return reshaped(operands.node, from, *requested, flag(operands, "allowzero"));
  });
  const std::optional<std::int64_t> rank = list_length(operands, 1);
  if (!outputs[0].shape && rank && *rank <= 64) {
    outputs[0].shape = Shape(static_cast<std::size_t>(*rank));
  }
}

void infer_squeeze_1(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  outputs[0] = same_elements(operands, attributes_known(operands), [&](const Dims& from) {
    const std::optional<Integers> axes = list_attribute(operands, "axes");
    if (!axes && !is_known(from)) throw NotInferred("the rank depends on the run");
    return squeezed(operands.node, from, axes);
  });
}

void infer_squeeze_13(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 2);
  const bool has_axes = !is_left_out(operands, 1);
  if (has_axes) expect_type(operands, 1, ElementType::int64);
  const std::optional<Integers> axes = constant_integers(operands, 1);
  const std::optional<Dims> dims = dims_of(operands, 0);
  const auto may_be_one = [](std::int64_t dim) { return dim < 0 || dim == 1; };
  const std::optional<std::int64_t> count = list_length(operands, 1);
  if (dims && count && std::ranges::none_of(*dims, may_be_one)) expect_few_axes(operands, 1, 0);
  outputs[0] = same_elements(operands, axes || !has_axes, [&](const Dims& from) {
    if (!axes && !is_known(from)) throw NotInferred("the rank depends on the run");
    return squeezed(operands.node, from, axes);
  });
}

void infer_unsqueeze_1(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 1);
  const Integers axes = known_list(operands, "axes");
  outputs[0] = same_elements(operands, attributes_known(operands),
                             [&](const Dims& from) { return unsqueezed(operands.node, from, axes); });
}

void infer_unsqueeze_13(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_type(operands, 1, ElementType::int64);
  if (const std::optional<Dims> dims = dims_of(operands, 1); !dims || !dims->empty()) list_length(operands, 1);
  const std::optional<Integers> axes = constant_integers(operands, 1);
  outputs[0] = same_elements(operands, axes.has_value(),
                             [&](const Dims& from) { return unsqueezed(operands.node, from, *axes); });
}

}  // namespace ifcert::kernels
