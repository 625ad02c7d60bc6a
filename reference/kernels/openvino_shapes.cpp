// Whether the operands' shapes can fit, by ONNX's inference on the same attributes and operands in ONNX's form.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/openvino_operands.hpp"
#include "kernels/openvino_operators.hpp"

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
};

Operand shaped(const OperandTypes& operands, std::size_t i) {
  return {shape_of(operands, i), {}};
}

/// A list operand, with its elements where they are known.
Operand listed(const OperandTypes& operands, std::size_t i) {
  return {Type::tensor(ElementType::int64), known_list(operands, i)};
}

/// Passes the shapes to ONNX's inference, which reports a misfit.
void check_shapes(InferFunction infer, const OperandTypes& operands, const std::vector<Operand>& inputs,
                  Attributes attributes, std::size_t outputs = 1) {
  Node node;
  node.op = operands.node.op;
  node.inputs.assign(inputs.size(), 0);
  node.attributes = std::move(attributes);
  std::vector<const Type*> types;
  std::vector<Value> constants;
  for (const Operand& operand : inputs) {
    types.push_back(&operand.type);
    constants.push_back(operand.constant);
  }
  std::vector<Type> results(outputs);
  infer({node, types, constants, nullptr, operands.misfit}, results);
}

/// The outputs' types, and a check of the shapes. Any other error in `check` is left to the run.
template <class Check>
void infer_and(const OperandTypes& operands, std::span<Type> outputs, std::size_t count, Check check) {
  infer_element(operands, outputs);
  if (operands.inputs.size() < count) return;
  try {
    check();
  } catch (const EvaluationError&) {
    return;
  }
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

void infer_concat(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 1, [&] {
    std::vector<Operand> all;
    for (std::size_t i = 0; i < operands.inputs.size(); ++i) all.push_back(shaped(operands, i));
    check_shapes(infer_concat_4, operands, all, {{"axis", integer(known(operands), "axis", "")}});
  });
}

void infer_matmul(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 2);
  const Type result = Type::tensor(common_element_type(operands, 0, 1));
  infer_and(operands, outputs, 2, [&] {
    check_shapes(kernels::infer_matmul, operands,
                 {matrix(operands, 0, "transpose_a"), matrix(operands, 1, "transpose_b")}, {});
  });
  outputs[0] = result;
}

/// The specification leaves open which dim -1 is where there are no elements, or next to a dim of size 0.
void infer_reshape(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    const bool copies = flag(known(operands), "special_zero", false);
    const Operand target = listed(operands, 1);
    if (target.constant.empty() || has_zero(shape_of(operands, 0))) return;
    const Integers requested = integers(known(operands), 1);
    const bool both =
        std::ranges::find(requested, 0) != requested.end() && std::ranges::find(requested, -1) != requested.end();
    if (!both || copies)
      check_shapes(infer_reshape_5, operands, {shaped(operands, 0), target},
                   {{"allowzero", std::int64_t{copies ? 0 : 1}}});
  });
}

/// From version 15 on an axis that is not 1 may be skipped.
void infer_squeeze(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    if (operands.node.version < 15)
      check_shapes(infer_squeeze_13, operands, {shaped(operands, 0), listed(operands, 1)}, {});
  });
}

void infer_unsqueeze(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    check_shapes(infer_unsqueeze_13, operands, {shaped(operands, 0), listed(operands, 1)}, {});
  });
}

/// Operand 3 is the step, operand 4 the axes: in ONNX the other way round.
void infer_slice(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 4, [&] {
    std::vector<Operand> all{shaped(operands, 0), listed(operands, 1), listed(operands, 2)};
    const Operand axes = operands.inputs.size() == 5 ? listed(operands, 4) : Operand{};
    const Operand steps = listed(operands, 3);
    if (steps.constant.empty() || (operands.inputs.size() == 5 && axes.constant.empty())) return;
    const auto count = all[1].constant.empty() ? 0 : all[1].constant.tensor()->count();
    Integers every(count);
    for (std::size_t i = 0; i < count; ++i) every[i] = static_cast<std::int64_t>(i);
    all.push_back(axes.constant.empty() ? Operand{Type::tensor(ElementType::int64), list_of(every)} : axes);
    all.push_back(steps);
    check_shapes(infer_slice_10, operands, all, {});
  });
}

/// An empty order reverses the axes.
void infer_transpose(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    const Value order = known_list(operands, 1);
    if (order.empty() || order.tensor()->count() == 0) return;
    check_shapes(kernels::infer_transpose, operands, {shaped(operands, 0)}, {{"perm", integers(known(operands), 1)}});
  });
}

void infer_split(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    if (known_list(operands, 1).empty()) return;
    check_shapes(infer_split_1, operands, {shaped(operands, 0)}, {{"axis", one_integer(known(operands), 1)}},
                 outputs.size());
  });
}

/// "numpy": the result has target_shape; "bidirectional": both broadcast to a common shape.
void infer_broadcast(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    const std::string_view mode = text(operands, "mode", "numpy");
    if (mode == "numpy" || mode == "bidirectional")
      check_shapes(infer_expand, operands, {shaped(operands, 0), listed(operands, 1)}, {});
  });
}

void infer_gather(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 3, [&] {
    if (known_list(operands, 2).empty() || integer(known(operands), "batch_dims", "0") != 0) return;
    check_shapes(kernels::infer_gather, operands, {shaped(operands, 0), shaped(operands, 1)},
                 {{"axis", one_integer(known(operands), 2)}});
  });
}

void infer_reduce(const OperandTypes& operands, std::span<Type> outputs) {
  infer_and(operands, outputs, 2, [&] {
    check_shapes(infer_reduce_by_operand, operands, {shaped(operands, 0), listed(operands, 1)}, {});
  });
}

/// Each element comes from operand 1 where operand 0 is true, else from operand 2 (Select-1).
void infer_select(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 3, 3);
  expect_type(operands, 0, ElementType::boolean);
  const Type result = Type::tensor(common_element_type(operands, 1, 2));
  infer_and(operands, outputs, 3, [&] {
    if (text(operands, "auto_broadcast", "numpy") == "numpy")
      check_shapes(infer_where, operands, {shaped(operands, 0), shaped(operands, 1), shaped(operands, 2)}, {});
  });
  outputs[0] = result;
}

}  // namespace ifcert::kernels::openvino
