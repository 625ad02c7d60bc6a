#include "operators/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ifcert::kernels {
namespace {

std::string found(const Value& value) {
  return value.empty() ? "left out" : kind_text(type_of(value));
}

std::vector<std::int64_t> integers_in(const Tensor& tensor) {
  if (tensor.type == ElementType::int64) {
    const auto elements = tensor.elements<std::int64_t>();
    return {elements.begin(), elements.end()};
  }
  const auto elements = tensor.elements<std::int32_t>();
  return {elements.begin(), elements.end()};
}

bool is_index_type(ElementType type) {
  return type == ElementType::int64 || type == ElementType::int32;
}

void expect_one_output(const Node& node, std::size_t outputs) {
  if (outputs != 1) refuse(node, fmt::format("the node has {} outputs; expected 1", outputs));
}

}  // namespace

bool bytes_fit_shape(const Tensor& tensor) {
  try {
    if (tensor.type == ElementType::string) return tensor.strings.size() == tensor.count();
    return tensor.data.size() == bytes_of(tensor.type, tensor.count());
  } catch (const std::length_error&) {
    return false;
  }
}

void refuse(const Node& node, const std::string& what) {
  throw EvaluationError(fmt::format("{}: {}", node.op, what));
}

void refuse_missing(const Node& node, const std::string& what) {
  throw EvaluationError(fmt::format("{}: {}", node.op, what), node.op);
}

void expect_operands(const Operands& operands, std::span<const Value> outputs, std::size_t most) {
  if (operands.inputs.size() > most) {
    refuse(operands.node, fmt::format("{} operands given; expected at most {}", operands.inputs.size(), most));
  }
  expect_one_output(operands.node, outputs.size());
}

// Rule: tflite/subgraph/operand-required.
const Tensor& tensor_operand(const Operands& operands, std::size_t i) {
  const Tensor* tensor = operands.input(i).tensor();
  if (tensor == nullptr) {
    refuse(operands.node, fmt::format("operand {} is {}; expected a tensor", i, found(operands.input(i))));
  }
  if (!bytes_fit_shape(*tensor)) {
    refuse(operands.node, fmt::format("operand {} does not have as many bytes as {}{} needs", i, name_of(tensor->type),
                                      to_string(static_shape(tensor->dims))));
  }
  return *tensor;
}

const Tensor& tensor_operand(const Operands& operands, std::size_t i, ElementType type) {
  const Tensor& tensor = tensor_operand(operands, i);
  if (tensor.type != type) {
    refuse(operands.node,
           fmt::format("operand {} is {}; expected tensor({})", i, found(operands.input(i)), name_of(type)));
  }
  return tensor;
}

void expect_same_type(const Operands& operands, std::size_t first, std::size_t second) {
  if (tensor_operand(operands, first).type == tensor_operand(operands, second).type) return;
  refuse(operands.node, fmt::format("operand {} is {}, but operand {} is {}", second, found(operands.input(second)),
                                    first, found(operands.input(first))));
}

std::vector<std::int64_t> integer_elements(const Operands& operands, std::size_t i) {
  const Tensor& tensor = tensor_operand(operands, i);
  if (!is_index_type(tensor.type)) {
    refuse(operands.node, fmt::format("operand {} is {}; expected tensor(int64)", i, found(operands.input(i))));
  }
  operands.work.expect_room(tensor.count() * sizeof(std::int64_t), [&] { return fmt::format("operand {}", i); });
  return integers_in(tensor);
}

std::optional<std::vector<std::int64_t>> integer_list(const Operands& operands, std::size_t i) {
  if (operands.input(i).empty()) return std::nullopt;
  const Tensor& tensor = tensor_operand(operands, i);
  if (tensor.dims.size() != 1)
    refuse(operands.node, fmt::format("operand {} has rank {}; expected a list (rank 1)", i, tensor.dims.size()));
  expect_list_length(operands.node, i, tensor);
  return integer_elements(operands, i);
}

void expect_list_length(const Node& node, std::size_t i, const Tensor& tensor) {
  if (tensor.count() <= longest_list) return;
  refuse(node, fmt::format("operand {} is a list of {} numbers; expected at most {}", i, tensor.count(), longest_list));
}

std::size_t axis_from_front(const Node& node, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    refuse(node, fmt::format("axis {} is outside [{}, {}] of rank {}", axis, -signed_rank, signed_rank - 1, rank));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

std::uint64_t count_between(const Dims& dims, std::size_t first, std::size_t last) {
  return element_count(
      Dims(dims.begin() + static_cast<std::ptrdiff_t>(first), dims.begin() + static_cast<std::ptrdiff_t>(last)));
}

bool attributes_known(const OperandTypes& operands) {
  if (operands.call != nullptr) return true;
  return std::none_of(operands.node.attributes.begin(), operands.node.attributes.end(), [](const auto& attribute) {
    return std::holds_alternative<AttributeReference>(attribute.second);
  });
}

void expect_operands(const OperandTypes& operands, std::span<const Type> outputs, std::size_t least, std::size_t most) {
  const std::size_t count = operands.inputs.size();
  if (count < least || count > most) {
    const std::string expected = most == any_number ? fmt::format("at least {}", least)
                                 : least == most    ? fmt::to_string(least)
                                                    : fmt::format("{} to {}", least, most);
    refuse(operands.node, fmt::format("{} operands given; expected {}", count, expected));
  }
  for (std::size_t i = 0; i < least; ++i) {
    if (is_left_out(operands, i)) refuse(operands.node, fmt::format("operand {} is left out; it is required", i));
  }
  expect_one_output(operands.node, outputs.size());
}

bool is_left_out(const OperandTypes& operands, std::size_t i) {
  if (i >= operands.inputs.size()) return true;
  return i < operands.node.inputs.size() && operands.node.inputs[i] == no_slot;
}

const Type& tensor_type(const OperandTypes& operands, std::size_t i) {
  static const Type none;
  if (i >= operands.inputs.size()) return none;
  const Type& type = *operands.inputs[i];
  if (type.known() && !type.is_tensor()) {
    refuse(operands.node, fmt::format("operand {} is {}; expected a tensor", i, kind_text(type)));
  }
  return type;
}

ElementType element_type(const OperandTypes& operands, std::size_t i) {
  return tensor_type(operands, i).element;
}

void expect_type(const OperandTypes& operands, std::size_t i, ElementType type) {
  const ElementType element = element_type(operands, i);
  if (element != ElementType::undefined && element != type) {
    refuse(operands.node,
           fmt::format("operand {} is tensor({}); expected tensor({})", i, name_of(element), name_of(type)));
  }
}

ElementType common_element_type(const OperandTypes& operands, std::size_t first, std::size_t last) {
  std::size_t known = first;
  for (std::size_t i = first; i <= last; ++i) {
    const ElementType common = element_type(operands, known);
    const ElementType element = element_type(operands, i);
    if (common == ElementType::undefined) {
      known = i;
    } else if (element != ElementType::undefined && element != common) {
      refuse(operands.node, fmt::format("operand {} is tensor({}), but operand {} is tensor({})", i, name_of(element),
                                        known, name_of(common)));
    }
  }
  return element_type(operands, known);
}

std::optional<Dims> dims_of(const OperandTypes& operands, std::size_t i) {
  const Type& type = tensor_type(operands, i);
  if (!type.shape) return std::nullopt;
  Dims dims;
  dims.reserve(type.shape->size());
  for (const Dim& dim : *type.shape) dims.push_back(dim.known() ? dim.value : -1);
  return dims;
}

void expect_none_left_out(const OperandTypes& operands) {
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    if (is_left_out(operands, i)) refuse(operands.node, fmt::format("operand {} is left out; expected a tensor", i));
  }
}

void report_misfit(const OperandTypes& operands, const std::string& message) {
  if (operands.misfit != nullptr && operands.misfit->empty())
    *operands.misfit = fmt::format("{}: {}", operands.node.op, message);
}

std::optional<std::int64_t> list_length(const OperandTypes& operands, std::size_t i) {
  if (is_left_out(operands, i)) return std::nullopt;
  const std::optional<Dims> dims = dims_of(operands, i);
  if (!dims) return std::nullopt;
  if (dims->size() != 1) {
    report_misfit(operands, fmt::format("operand {} has rank {}; expected a list (rank 1)", i, dims->size()));
    return std::nullopt;
  }
  return dims->front() < 0 ? std::nullopt : std::optional(dims->front());
}

void expect_few_axes(const OperandTypes& operands, std::size_t i, std::size_t most) {
  const std::optional<std::int64_t> length = list_length(operands, i);
  if (!length || *length <= static_cast<std::int64_t>(most)) return;
  report_misfit(operands, fmt::format("operand {} is a list of {} axes; expected at most {}", i, *length, most));
}

void expect_one_element(const OperandTypes& operands, std::size_t i, std::size_t most_rank) {
  const std::optional<Dims> dims = dims_of(operands, i);
  const auto may_be_one = [](std::int64_t dim) { return dim < 0 || dim == 1; };
  if (!dims || (dims->size() <= most_rank && std::ranges::all_of(*dims, may_be_one))) return;
  report_misfit(operands, fmt::format("operand {} has the shape {}; expected one element{}", i,
                                      to_string(static_shape(*dims)), most_rank == 0 ? ", a scalar" : ""));
}

std::optional<std::vector<std::int64_t>> constant_integers(const OperandTypes& operands, std::size_t i) {
  if (i >= operands.constants.size()) return std::nullopt;
  const Tensor* tensor = operands.constants[i].tensor();
  if (tensor == nullptr || !is_index_type(tensor->type) || !bytes_fit_shape(*tensor)) return std::nullopt;
  return tensor->count() <= longest_known_list ? std::optional(integers_in(*tensor)) : std::nullopt;
}

}  // namespace ifcert::kernels
