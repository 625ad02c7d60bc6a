#include "model/function_attributes.hpp"

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

CallAttributes::CallAttributes(const Node& call, const Function* function, const CallAttributes* outer)
    : call_(&call), function_(function) {
  if (outer == nullptr) return;
  for (const auto& [name, value] : call.attributes) {
    const AttributeReference* reference = reference_in(value);
    const AttributeValue* passed = reference == nullptr ? nullptr : outer->find(reference->name);
    if (passed != nullptr || (reference != nullptr && outer->is_left_open(reference->name)))
      resolved_.emplace(name, passed);
  }
}

/// Whether the value is unknown because a function is checked without a call.
bool CallAttributes::is_left_open(std::string_view name) const {
  if (call_ == nullptr) return true;
  const auto passed = resolved_.find(name);
  return passed != resolved_.end() && passed->second == nullptr;
}

const AttributeValue* CallAttributes::find(std::string_view name) const {
  if (call_ != nullptr) {
    if (const AttributeValue* own = value_in(call_->attributes, name)) return own;
    if (const auto passed = resolved_.find(name); passed != resolved_.end()) return passed->second;
  }
  return function_ == nullptr ? nullptr : value_in(function_->defaults, name);
}

const Attributes* resolved_attributes(const Node& node, const CallAttributes* call, Attributes& resolved) {
  const auto is_reference = [](const auto& entry) { return reference_in(entry.second) != nullptr; };
  if (std::ranges::none_of(node.attributes, is_reference)) return &node.attributes;
  for (const auto& [name, value] : node.attributes) {
    const AttributeReference* reference = reference_in(value);
    const AttributeValue* passed = reference == nullptr ? &value : nullptr;
    if (reference != nullptr && call != nullptr) passed = call->find(reference->name);
    if (passed != nullptr) resolved.emplace(name, *passed);
  }
  return &resolved;
}

const Body* CallBodies::find(std::string_view name) const {
  if (by_name_.empty()) {
    if (call_ != nullptr) {
      for (const Body& body : std::span(call_->bodies).subspan(1)) {
        if (!is_left_out(body)) by_name_.emplace(body.role, &body);
      }
    }
    if (function_ != nullptr) {
      for (const Body& body : function_->default_bodies) by_name_.emplace(body.role, &body);
    }
  }
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

/// Whether the call only passes on a graph that the enclosing call leaves out.
bool CallBodies::is_left_out(const Body& passed) const {
  return !passed.reference.empty() && outer_ != nullptr && outer_->is_of_a_call() &&
         outer_->find(passed.reference) == nullptr;
}

}  // namespace ifcert
