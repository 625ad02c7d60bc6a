#include "conformance/drawing/constant_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

namespace ifcert::drawing {
namespace {

/// The value of an operator Constant, as text.
struct ConstantText {
  std::string operator()(std::int64_t value) const { return fmt::format("int64[] {}", value); }
  std::string operator()(float value) const { return fmt::format("float32[] {}", value); }
  std::string operator()(const std::string& value) const { return fmt::format("string[] \"{}\"", value); }
  std::string operator()(const Value& value) const { return to_string(value); }
  template <class Element>
  std::string operator()(const std::vector<Element>& values) const {
    return fmt::format("[{}]", fmt::join(values.begin(),
                                         values.begin() + std::min<std::ptrdiff_t>(8, std::ssize(values)), ", ")) +
           (values.size() > 8 ? " …" : "");
  }
  std::string operator()(const Type&) const { return "?"; }
  std::string operator()(const AttributeReference&) const { return "?"; }
};

}  // namespace

std::string text_of_constant(const Value& value) {
  const Tensor* tensor = value.tensor();
  if (tensor != nullptr && tensor->count() > 8) return to_string(type_of(value));
  return to_string(value);
}

bool is_constant(const Node& node) {
  if (node.op != "Constant" || !node.domain.empty() || !node.inputs.empty() || node.outputs.size() != 1) return false;
  if (node.attributes.size() != 1 || node.outputs[0] == no_slot) return false;
  const AttributeValue& attribute = node.attributes.begin()->second;
  return !std::holds_alternative<AttributeReference>(attribute) && !std::holds_alternative<Type>(attribute);
}

std::string KnownConstant::text() const {
  if (constant != nullptr) return text_of_constant(constant->value);
  const AttributeValue& attribute = node->attributes.begin()->second;
  const auto* value = std::get_if<Value>(&attribute);
  return value != nullptr ? text_of_constant(*value) : std::visit(ConstantText{}, attribute);
}

}  // namespace ifcert::drawing
