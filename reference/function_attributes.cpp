#include "function_attributes.hpp"

#include <algorithm>
#include <span>

namespace ifcert {
namespace {

const AttributeReference* reference_in(const AttributeValue& value) {
  return std::get_if<AttributeReference>(&value);
}

const AttributeValue* value_in(const Attributes& attributes, std::string_view name) {
  const auto found = attributes.find(name);
  return found == attributes.end() || reference_in(found->second) != nullptr ? nullptr : &found->second;
}

}  // namespace

std::vector<const Function*> functions_by_graph(const Model& model) {
  std::vector<const Function*> functions(model.graphs.size());
  for (const Function& function : model.functions) functions[function.graph] = &function;
  return functions;
}

GivenAttributes::GivenAttributes(const Node& call, const Function* function, const GivenAttributes* given)
    : call_(&call), function_(function) {
  if (given == nullptr) return;
  for (const auto& [name, value] : call.attributes) {
    const AttributeReference* reference = reference_in(value);
    const AttributeValue* passed = reference == nullptr ? nullptr : given->find(reference->name);
    if (passed != nullptr) resolved_.emplace(name, passed);
  }
}

const AttributeValue* GivenAttributes::find(std::string_view name) const {
  if (call_ != nullptr) {
    if (const AttributeValue* own = value_in(call_->attributes, name)) return own;
    if (const auto passed = resolved_.find(name); passed != resolved_.end()) return passed->second;
  }
  return function_ == nullptr ? nullptr : value_in(function_->defaults, name);
}

const Attributes* resolved_attributes(const Node& node, const GivenAttributes* given, Attributes& resolved) {
  const auto is_reference = [](const auto& entry) { return reference_in(entry.second) != nullptr; };
  if (std::ranges::none_of(node.attributes, is_reference)) return &node.attributes;
  for (const auto& [name, value] : node.attributes) {
    const AttributeReference* reference = reference_in(value);
    const AttributeValue* passed = reference == nullptr ? &value : nullptr;
    if (reference != nullptr && given != nullptr) passed = given->find(reference->name);
    if (passed != nullptr) resolved.emplace(name, *passed);
  }
  return &resolved;
}

const Body* GivenBodies::find(std::string_view name) const {
  if (listed_.empty()) {
    if (call_ != nullptr) {
      for (const Body& body : std::span(call_->bodies).subspan(1)) listed_.emplace(body.role, &body);
    }
    if (function_ != nullptr) {
      for (const Body& body : function_->default_bodies) listed_.emplace(body.role, &body);
    }
  }
  const auto found = listed_.find(name);
  return found == listed_.end() ? nullptr : found->second;
}

}  // namespace ifcert
