#include "operators/openvino_elements.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ifcert::kernels::openvino {
namespace {

bool is_accepted(ElementType type, Elements accepted) {
  if (accepted == Elements::any || type == ElementType::undefined) return true;
  if (type == ElementType::boolean || type == ElementType::string) return false;
  const std::string_view name = name_of(type);
  if (accepted == Elements::floating) return name.starts_with("float") || name.starts_with("bfloat");
  return accepted == Elements::numbers || !name.starts_with("uint");
}

}  // namespace

void expect_elements(const OperandTypes& operands, Elements accepted) {
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    const ElementType type = element_type(operands, i);
    if (!is_accepted(type, accepted))
      refuse(operands.node, fmt::format("operands are tensor({}), which it does not accept", name_of(type)));
  }
}

void expect_computed(InferFunction infer, const Operands& operands, Elements accepted) {
  const ElementType type = tensor_operand(operands, 0).type;
  std::vector<Type> types;
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    if (tensor_operand(operands, i).type != type || !is_accepted(type, accepted)) return;  // the kernel refuses them
    types.push_back(Type::tensor(type));
  }
  const std::vector<Value> unknown(types.size());
  std::vector<Type> outputs(1);
  try {
    infer({operands.node, pointers_to(types), unknown}, outputs);
  } catch (const EvaluationError&) {
    refuse_missing(operands.node, fmt::format("the reference does not support elements of {}", name_of(type)));
  }
}

}  // namespace ifcert::kernels::openvino
