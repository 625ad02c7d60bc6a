// Constant: one of its attributes is the value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "operators/onnx_operators.hpp"
#include "operators/operands.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

constexpr std::array<std::string_view, 8> forms{"value",       "sparse_value", "value_int",    "value_ints",
                                                "value_float", "value_floats", "value_string", "value_strings"};

template <class T>
Value scalar(ElementType type, const T& value) {
  return make_tensor<T>(type, {}, std::span<const T>(&value, 1));
}

template <class T>
Value list(ElementType type, const std::vector<T>& values) {
  return make_tensor<T>(type, {static_cast<std::int64_t>(values.size())}, values);
}

// The value of an attribute, whose type depends on its name.
struct ValueOf {
  const Node& node;
  std::string_view name;

  Value operator()(std::int64_t value) const { return checked("value_int", scalar(ElementType::int64, value)); }
  Value operator()(const std::vector<std::int64_t>& values) const {
    return checked("value_ints", list(ElementType::int64, values));
  }
  Value operator()(float value) const { return checked("value_float", scalar(ElementType::float32, value)); }
  Value operator()(const std::vector<float>& values) const {
    return checked("value_floats", list(ElementType::float32, values));
  }
  Value operator()(const std::string& value) const { return checked("value_string", make_strings({}, {value})); }
  Value operator()(const std::vector<std::string>& values) const {
    return checked("value_strings", make_strings({static_cast<std::int64_t>(values.size())}, values));
  }
  Value operator()(const Value& value) const {
    if (value.sparse() != nullptr) return checked("sparse_value", value);
    if (value.tensor() == nullptr) refuse(node, fmt::format("attribute {} is not a tensor", name));
    return checked("value", value);
  }
  template <class Other>
  Value operator()(const Other&) const {
    refuse(node, fmt::format("attribute {} has a type that Constant does not accept", name));
  }

  Value checked(std::string_view required, Value value) const {
    if (name != required) refuse(node, fmt::format("attribute {} has the type of attribute {}", name, required));
    return value;
  }
};

template <class Context>
Value value_of(const Context& operands) {
  const AttributeValue* only = nullptr;
  std::string_view only_name;
  for (const auto& [name, written] : operands.node.attributes) {
    if (std::find(forms.begin(), forms.end(), name) == forms.end()) continue;
    const AttributeValue* attribute = find_attribute(operands.node, name, operands.call);
    if (attribute == nullptr) continue;
    if (only != nullptr) {
      refuse(operands.node, fmt::format("{} and {} are both given; expected one of them", only_name, name));
    }
    only = attribute;
    only_name = name;
  }
  if (only == nullptr) refuse(operands.node, "none of the attributes value, value_int, … is given");
  return std::visit(ValueOf{operands.node, only_name}, *only);
}

}  // namespace

void evaluate_constant(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 0);
  outputs[0] = value_of(operands);
  const Tensor* made = outputs[0].tensor();
  if (made == nullptr || made->count() < small_result / sizeof(std::string)) return;
  // Attribute `value` is part of the model; every other form makes a new tensor in each evaluation, which the run
  // counts.
  if (find_attribute(operands.node, "value", operands.call) != nullptr) return;
  Result counted(operands, made->type, made->dims);
  counted.append(*made, 0, made->count());
  outputs[0] = std::move(counted).value();
}

void infer_constant(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 0, 0);
  if (attributes_known(operands)) outputs[0] = type_of(value_of(operands));
}

}  // namespace ifcert::kernels
