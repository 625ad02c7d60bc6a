// Split: pieces of one axis, as many as the node has outputs.
#include <fmt/format.h>

#include "operators/onnx_operators.hpp"
#include "operators/strided.hpp"

namespace ifcert::kernels {
namespace {

template <class Context>
std::size_t split_axis(const Context& operands, std::size_t rank) {
  const auto* axis = operands.template attribute<std::int64_t>("axis");
  return axis_from_front(operands.node, axis == nullptr ? 0 : *axis, rank);
}

// Given lengths: one for each output, none negative, that add up to the axis (-1 where it is unknown).
Integers checked_lengths(const Node& node, Integers lengths, std::size_t count, std::int64_t dim) {
  if (lengths.size() != count) {
    refuse(node, fmt::format("{} lengths are given for {} outputs", lengths.size(), count));
  }
  std::int64_t sum = 0;
  for (const std::int64_t length : lengths) {
    if (length < 0) refuse(node, fmt::format("a length is {}", length));
    if (__builtin_add_overflow(sum, length, &sum)) refuse(node, "the lengths add up to more than 64 bits can count");
  }
  if (dim >= 0 && sum != dim)
    refuse(node, fmt::format("the lengths add up to {}, but the axis has {} elements", sum, dim));
  return lengths;
}

// Equal lengths; the last one is smaller where `uneven` allows it.
Integers equal_lengths(const Node& node, std::size_t count, std::int64_t dim, bool uneven) {
  const auto parts = static_cast<std::int64_t>(count);
  if (dim < 0 || parts == 0) return Integers(count, -1);
  const std::int64_t length = dim / parts + (dim % parts == 0 ? 0 : 1);
  const std::int64_t last = dim - length * (parts - 1);
  const std::string what = fmt::format("{}: an axis of size {} does not split into {} parts", node.op, dim, count);
  // What happens where the length of the last would be negative is left open. Sentence: operators-split-last-smaller.
  if (last < 0 && uneven) throw NotInferred(what);
  if (last != length && !uneven) throw EvaluationError(what);
  Integers lengths(count, length);
  lengths.back() = last;
  return lengths;
}

template <class Context>
const Integers* split_attribute(const Context& operands) {
  return operands.template attribute<Integers>("split");
}

// From version 18 on exactly one of the lengths and the number of outputs is given.
template <class Context>
void expect_num_outputs(const Context& operands, bool lengths_given, std::size_t count) {
  const auto* number = operands.template attribute<std::int64_t>("num_outputs");
  if ((number != nullptr) == lengths_given) {
    refuse(operands.node, "expected either operand 1, the lengths, or attribute num_outputs");
  }
  if (number != nullptr && *number != static_cast<std::int64_t>(count)) {
    refuse(operands.node, fmt::format("attribute num_outputs is {}, but the node has {} outputs", *number, count));
  }
}

void expect_some(const Node& node, std::size_t operands, std::size_t most, std::size_t outputs) {
  if (operands > most) refuse(node, fmt::format("{} operands given; expected at most {}", operands, most));
  if (outputs == 0) refuse(node, "the node has no outputs");
}

// Each output has dims of its own, and a small file may have many outputs and many axes.
bool fits_in_memory(std::size_t outputs, std::size_t rank) {
  constexpr std::size_t most_dims = 4'000'000;
  return rank == 0 || outputs <= most_dims / rank;
}

// `lengths_of` returns the lengths for an axis of that dim.
template <class Lengths>
void evaluate_split(const Operands& operands, std::span<Value> outputs, Lengths lengths_of) {
  const Tensor& tensor = tensor_operand(operands, 0);
  const std::size_t axis = split_axis(operands, tensor.dims.size());
  const Integers lengths = lengths_of(tensor.dims[axis]);
  const Dims steps = steps_of(tensor.dims);
  if (!fits_in_memory(outputs.size(), steps.size()))
    refuse(operands.node,
           fmt::format("{} outputs of rank {} are more than the reference supports", outputs.size(), steps.size()));
  std::int64_t start = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Dims dims = tensor.dims;
    dims[axis] = lengths[i];
    Result result(operands, tensor.type, dims);
    if (result.count() > 0) {
      std::vector<Stride> axes;
      for (std::size_t a = 0; a < dims.size(); ++a) axes.push_back({dims[a], steps[a]});
      append_strided(tensor, start * steps[axis], std::move(axes), result);
    }
    start += lengths[i];
    outputs[i] = std::move(result).value();
  }
}

template <class Lengths>
void infer_split(const OperandTypes& operands, std::span<Type> outputs, bool known, Lengths lengths_of) {
  if (is_left_out(operands, 0)) refuse(operands.node, "operand 0 is left out; expected a tensor");
  const ElementType element = element_type(operands, 0);
  for (Type& output : outputs) output = Type::tensor(element);
  if (!is_left_out(operands, 1)) expect_type(operands, 1, ElementType::int64);
  const std::optional<std::int64_t> given = list_length(operands, 1);
  if (given && *given != static_cast<std::int64_t>(outputs.size()))
    report_misfit(operands, fmt::format("{} lengths are given for {} outputs", *given, outputs.size()));
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims || !attributes_known(operands) || !fits_in_memory(outputs.size(), dims->size())) return;
  std::size_t axis = 0;
  Integers lengths(outputs.size(), -1);
  const bool fits = shape_if_it_fits(operands, [&] {
                      axis = split_axis(operands, dims->size());
                      if (known) lengths = lengths_of((*dims)[axis]);
                      return *dims;
                    }).has_value();
  for (std::size_t i = 0; fits && i < outputs.size(); ++i) {
    outputs[i].shape = static_shape(*dims);
    (*outputs[i].shape)[axis].value = lengths[i];
  }
}

}  // namespace

void evaluate_split_1(const Operands& operands, std::span<Value> outputs) {
  const Node& node = operands.node;
  expect_some(node, operands.inputs.size(), 2, outputs.size());
  std::optional<Integers> lengths = integer_list(operands, 1);
  if (const Integers* attribute = split_attribute(operands); !lengths && attribute != nullptr) lengths = *attribute;
  evaluate_split(operands, outputs, [&](std::int64_t dim) {
    return lengths ? checked_lengths(node, *lengths, outputs.size(), dim)
                   : equal_lengths(node, outputs.size(), dim, false);
  });
}

void evaluate_split_18(const Operands& operands, std::span<Value> outputs) {
  const Node& node = operands.node;
  expect_some(node, operands.inputs.size(), 2, outputs.size());
  const std::optional<Integers> lengths = integer_list(operands, 1);
  expect_num_outputs(operands, lengths.has_value(), outputs.size());
  evaluate_split(operands, outputs, [&](std::int64_t dim) {
    return lengths ? checked_lengths(node, *lengths, outputs.size(), dim)
                   : equal_lengths(node, outputs.size(), dim, true);
  });
}

void infer_split_1(const OperandTypes& operands, std::span<Type> outputs) {
  const Node& node = operands.node;
  expect_some(node, operands.inputs.size(), 2, outputs.size());
  const bool has_lengths = !is_left_out(operands, 1);
  std::optional<Integers> lengths = has_lengths ? constant_integers(operands, 1) : std::nullopt;
  if (const Integers* attribute = split_attribute(operands); !has_lengths && attribute != nullptr) lengths = *attribute;
  infer_split(operands, outputs, lengths || !has_lengths, [&](std::int64_t dim) {
    return lengths ? checked_lengths(node, *lengths, outputs.size(), dim)
                   : equal_lengths(node, outputs.size(), dim, false);
  });
}

void infer_split_18(const OperandTypes& operands, std::span<Type> outputs) {
  const Node& node = operands.node;
  expect_some(node, operands.inputs.size(), 2, outputs.size());
  const bool has_lengths = !is_left_out(operands, 1);
  const std::optional<Integers> lengths = has_lengths ? constant_integers(operands, 1) : std::nullopt;
  if (attributes_known(operands)) expect_num_outputs(operands, has_lengths, outputs.size());
  infer_split(operands, outputs, lengths || !has_lengths, [&](std::int64_t dim) {
    return lengths ? checked_lengths(node, *lengths, outputs.size(), dim)
                   : equal_lengths(node, outputs.size(), dim, true);
  });
}

}  // namespace ifcert::kernels
