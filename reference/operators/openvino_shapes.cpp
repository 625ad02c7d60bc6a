// Whether the operands' shapes can fit, by ONNX's inference on the same attributes and operands in ONNX's form.
#include <fmt/format.h>

#include <algorithm>

#include "operators/openvino_operands.hpp"
#include "operators/openvino_operators.hpp"

namespace ifcert::kernels::openvino {
namespace {

/// The operands that are known before the run, as a kernel receives them.
Operands known(const OperandTypes& operands) {
  return {operands.node, operands.constants, operands.call};
}

/// A list that is known before the run; an empty Value where it is unknown or too long to be examined.
Value known_list(const OperandTypes& operands, std::size_t i) {
  if (i >= operands.constants.size() || operands.constants[i].empty()) return {};
  const Tensor* tensor = operands.constants[i].tensor();
  if (tensor != nullptr && tensor->count() > longest_known_list) return {};
  return list_of(integers(known(operands), i));
}

/// The type of operand `i` without its element type, which does not matter here.
Type shape_of(const OperandTypes& operands, std::size_t i) {
  return Type::tensor(ElementType::undefined, tensor_type(operands, i).shape);
}

/// An operand of ONNX's operator.
struct Operand {
  Type type;
  Value constant;
  bool left_out = false;
};

Operand shaped(const OperandTypes& operands, std::size_t i) {
  return {shape_of(operands, i), {}};
}

/// A list operand, with its elements where they are known; a scalar is a list of one.
Operand listed(const OperandTypes& operands, std::size_t i) {
  Type type = Type::tensor(ElementType::int64, tensor_type(operands, i).shape);
  if (type.shape && type.shape->empty()) type.shape = static_shape({1});
  return {std::move(type), known_list(operands, i)};
}

/// A misfit where operand `i` is neither a scalar nor a list.
void expect_list(const OperandTypes& operands, std::size_t i) {
  const std::optional<Dims> dims = dims_of(operands, i);
  if (dims && dims->size() > 1) report_misfit(operands, fmt::format("operand {} is neither a scalar nor a list", i));
}

/// The length of operand `i`, a list; 1 for a scalar, -1 where it is not known.
std::int64_t elements_of_list(const OperandTypes& operands, std::size_t i) {
  const std::optional<Dims> dims = dims_of(operands, i);
  if (!dims || dims->size() > 1) return -1;
  return dims->empty() ? 1 : dims->front();
}

/// Passes the shapes to ONNX's inference, which reports a misfit.
void check_shapes(InferFunction infer, const OperandTypes& operands, const std::vector<Operand>& inputs,
                  Attributes attributes, std::size_t outputs = 1) {
  Node node;
  node.op = operands.node.op;
  node.attributes = std::move(attributes);
  std::vector<const Type*> types;
  std::vector<Value> constants;
  for (const Operand& operand : inputs) {
    node.inputs.push_back(operand.left_out ? no_slot : 0);
    types.push_back(&operand.type);
    constants.push_back(operand.constant);
  }
  std::vector<Type> results(outputs);
  infer({node, types, constants, nullptr, operands.misfit}, results);
}

/// Refuses operands from `first` on that hold no integers.
void expect_integers(const OperandTypes& operands, std::size_t first) {
  for (std::size_t i = first; i < operands.inputs.size(); ++i) {
    const ElementType type = element_type(operands, i);
    if (holds_integers(type)) continue;
    refuse(operands.node, fmt::format("operand {} is tensor({}); expected integers", i, name_of(type)));
  }
}

/// The outputs' types, and a check of the shapes. Any other error in `check` is one of a value and left to the run.
template <class Check>
void infer_and(const OperandTypes& operands, std::span<Type> outputs, Check check) {
  infer_element(operands, outputs);
  try {
    check();
  } catch (const EvaluationError&) {
    return;
  }
}

/// The batches are before the axis. Sentence: operations-gather-batches-equal.
void expect_batches(const OperandTypes& operands, std::int64_t batch_dims) {
  const std::optional<Dims> data = dims_of(operands, 0);
  const std::optional<Dims> indices = dims_of(operands, 1);
  if (!data || !indices || batch_dims == 0) return;
  const std::int64_t count = batch_dims < 0 ? batch_dims + std::ssize(*indices) : batch_dims;
  const std::int64_t most = std::min(std::ssize(*data) - 1, std::ssize(*indices));
  if (count < 0 || count > most)
    return report_misfit(operands, fmt::format("attribute batch_dims is {}; expected at most {}", batch_dims, most));
  const auto may_be_equal = [](std::int64_t x, std::int64_t y) { return x == y || x < 0 || y < 0; };
  if (!std::equal(data->begin(), data->begin() + count, indices->begin(), may_be_equal))
    report_misfit(operands, "data and indices have different batch dims");
}

/// Whether two of the axes of the result may be the same one; so may any where the rank is not known.
bool may_repeat(const OperandTypes& operands, Integers axes) {
  const std::optional<Dims> dims = dims_of(operands, 0);
  if (!dims) return true;
  const std::int64_t rank = std::ssize(*dims) + std::ssize(axes);
  for (std::int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  std::ranges::sort(axes);
  return std::ranges::adjacent_find(axes) != axes.end();
}

/// The last two dims are exchanged where the attribute is set; rank 0 and 1 are unchanged.
Operand matrix(const OperandTypes& operands, std::size_t i, std::string_view transposed) {
  Operand operand = shaped(operands, i);
  if (operand.type.shape && operand.type.shape->size() >= 2 && flag(known(operands), transposed, false))
    std::iter_swap(operand.type.shape->end() - 1, operand.type.shape->end() - 2);
  return operand;
}

bool has_zero(const Type& type) {
  return type.shape && std::ranges::find(*type.shape, 0, &Dim::value) != type.shape->end();
}

}  // namespace

void infer_element(const OperandTypes& operands, std::span<Type> outputs) {
  for (Type& output : outputs) output = Type::tensor(element_type(operands, 0));
}

/// The axis is required. Sentences: operations-concat-types-and-ranks, operations-concat-axis-required.
void infer_concat(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, any_number);
  const std::int64_t axis = integer(known(operands), "axis", "");
  const ElementType common = common_element_type(operands, 0, operands.inputs.size() - 1);
  infer_and(operands, outputs, [&] {
    std::vector<Operand> all;
    for (std::size_t i = 0; i < operands.inputs.size(); ++i) all.push_back(shaped(operands, i));
    check_shapes(infer_concat_4, operands, all, {{"axis", axis}});
  });
  outputs[0] = Type::tensor(common);
}

/// Neither booleans nor strings are multiplied. Sentence: operations-matmul-types.
void infer_matmul(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  const Type result = Type::tensor(common_element_type(operands, 0, 1));
  expect_elements(operands, Elements::numbers);
  for (const std::string_view name : {"transpose_a", "transpose_b"}) flag(known(operands), name, false);
  infer_and(operands, outputs, [&] {
    check_shapes(kernels::infer_matmul, operands,
                 {matrix(operands, 0, "transpose_a"), matrix(operands, 1, "transpose_b")}, {});
  });
  outputs[0] = result;
}

/// The specification leaves open which dim -1 is where there are no elements, or next to a dim of size 0.
void infer_reshape(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_integers(operands, 1);
  const bool copies = flag(known(operands), "special_zero", false);
  infer_and(operands, outputs, [&] {
    Operand target = listed(operands, 1);
    const Integers requested = target.constant.empty() ? Integers{} : integers(known(operands), 1);
    const bool both =
        std::ranges::find(requested, 0) != requested.end() && std::ranges::find(requested, -1) != requested.end();
    if (has_zero(shape_of(operands, 0)) || (both && !copies)) target.constant = {};
    check_shapes(infer_reshape_5, operands, {shaped(operands, 0), target},
                 {{"allowzero", std::int64_t{copies ? 0 : 1}}});
  });
}

/// An axis whose dim is not 1 is skipped (evaluate_squeeze); it must be one of the operand.
void infer_squeeze(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 1, 2);
  expect_integers(operands, 1);
  infer_and(operands, outputs, [&] {
    if (operands.inputs.size() < 2) return;
    expect_list(operands, 1);
    const std::optional<Dims> dims = dims_of(operands, 0);
    if (!dims || known_list(operands, 1).empty()) return;
    shape_if_it_fits(operands, [&] {
      for (const std::int64_t axis : integers(known(operands), 1)) axis_from_front(operands.node, axis, dims->size());
      return *dims;
    });
  });
}

/// The page does not say whether an axis may be given twice (docs/doubts.md).
void infer_unsqueeze(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_integers(operands, 1);
  infer_and(operands, outputs, [&] {
    expect_list(operands, 1);
    Operand axes = listed(operands, 1);
    if (!axes.constant.empty() && may_repeat(operands, integers(known(operands), 1))) axes.constant = {};
    check_shapes(infer_unsqueeze_13, operands, {shaped(operands, 0), axes}, {});
  });
}

/// Operand 3 is the step, operand 4 the axes: in ONNX the other way round. Sentence: operations-slice-equal-lengths.
void infer_slice(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 4, 5);
  expect_integers(operands, 1);
  infer_and(operands, outputs, [&] {
    const Operand axes = operands.inputs.size() == 5 ? listed(operands, 4) : Operand{{}, {}, true};
    check_shapes(infer_slice_10, operands,
                 {shaped(operands, 0), listed(operands, 1), listed(operands, 2), axes, listed(operands, 3)}, {});
  });
}

/// An empty order reverses the axes. Sentences: operations-transpose-order-length, operations-transpose-empty-order.
void infer_transpose(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_integers(operands, 1);
  infer_and(operands, outputs, [&] {
    expect_list(operands, 1);
    const std::optional<Dims> dims = dims_of(operands, 0);
    const std::int64_t length = elements_of_list(operands, 1);
    if (dims && length > 0 && length != std::ssize(*dims))
      report_misfit(operands, fmt::format("{} axes are given for {} axes", length, dims->size()));
    const Value order = known_list(operands, 1);
    if (order.empty() || order.tensor()->count() == 0) return;
    check_shapes(kernels::infer_transpose, operands, {shaped(operands, 0)}, {{"perm", integers(known(operands), 1)}});
  });
}

/// Sentence: operations-split-outputs.
void infer_split(const OperandTypes& operands, std::span<Type> outputs) {
  const Type one;  // the number of outputs is num_splits
  expect_operands(operands, std::span(&one, 1), 2, 2);
  expect_integers(operands, 1);
  if (integer(known(operands), "num_splits", "") != std::ssize(outputs))
    refuse(operands.node, fmt::format("num_splits is not {}, the number of outputs", outputs.size()));
  infer_and(operands, outputs, [&] {
    expect_one_element(operands, 1, 1);
    if (known_list(operands, 1).empty()) return;
    check_shapes(infer_split_1, operands, {shaped(operands, 0)}, {{"axis", one_integer(known(operands), 1)}},
                 outputs.size());
  });
}

/// In the mode numpy only data is broadcast, in the mode bidirectional both, to a common shape. Others have a third
/// operand. Sentence: operations-broadcast-one-way.
void infer_broadcast(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 3);
  expect_integers(operands, 1);
  infer_and(operands, outputs, [&] {
    const std::string_view mode = text(operands, "mode", "numpy");
    if (mode != "numpy" && mode != "bidirectional") return;
    expect_list(operands, 1);
    const std::optional<Dims> dims = dims_of(operands, 0);
    const std::int64_t length = elements_of_list(operands, 1);
    if (mode == "numpy" && dims && length >= 0 && length < std::ssize(*dims))
      report_misfit(operands, fmt::format("target_shape has {} dims, but the operand has {}", length, dims->size()));
    check_shapes(infer_expand, operands, {shaped(operands, 0), listed(operands, 1)}, {});
  });
}

void infer_tile(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_integers(operands, 1);
  infer_element(operands, outputs);
}

void infer_gather(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  expect_integers(operands, 1);
  const std::int64_t batch_dims = integer(known(operands), "batch_dims", "0");
  infer_and(operands, outputs, [&] {
    expect_one_element(operands, 2, 1);
    expect_batches(operands, batch_dims);
    if (known_list(operands, 2).empty() || batch_dims != 0) return;
    check_shapes(kernels::infer_gather, operands, {shaped(operands, 0), shaped(operands, 1)},
                 {{"axis", one_integer(known(operands), 2)}});
  });
}

/// Strings are not numeric by any reading. Sentence: operations-reducesum-types.
void infer_reduce(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  expect_integers(operands, 1);
  if (element_type(operands, 0) == ElementType::string)
    refuse(operands.node, "operand 0 is tensor(string), which it does not accept");
  flag(known(operands), "keep_dims", false);
  infer_and(operands, outputs, [&] {
    expect_list(operands, 1);
    check_shapes(infer_reduce_by_operand, operands, {shaped(operands, 0), listed(operands, 1)}, {});
  });
}

/// Each element comes from operand 1 where operand 0 is true, else from operand 2 (Select-1).
void infer_select(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  expect_type(operands, 0, ElementType::boolean);
  const Type result = Type::tensor(common_element_type(operands, 1, 2));
  infer_and(operands, outputs, [&] {
    const std::string_view rule = text(operands, "auto_broadcast", "numpy");
    if (rule == "numpy")
      check_shapes(infer_where, operands, {shaped(operands, 0), shaped(operands, 1), shaped(operands, 2)}, {});
    if (rule != "none") return;
    for (const std::size_t i : {1U, 2U}) expect_same_dims(operands, 0, i);
  });
  outputs[0] = result;
}

}  // namespace ifcert::kernels::openvino
