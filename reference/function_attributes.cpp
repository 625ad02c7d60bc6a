#include "function_attributes.hpp"

#include <algorithm>

namespace ifcert {
namespace {

const Body* body_of(const std::vector<Body>& bodies, std::string_view role) {
  const auto found = std::ranges::find(bodies, role, &Body::role);
  return found == bodies.end() ? nullptr : &*found;
}

}  // namespace

std::vector<const Function*> functions_by_graph(const Model& model) {
  std::vector<const Function*> functions(model.graphs.size());
  for (const Function& function : model.functions) functions[function.graph] = &function;
  return functions;
}

const Attributes* attributes_given(const Node& call, const Function* function, const Attributes* given,
                                   Attributes& resolved) {
  const auto is_reference = [](const auto& entry) { return std::holds_alternative<AttributeReference>(entry.second); };
  const bool defaults = function != nullptr && !function->defaults.empty();
  if (call.attributes.empty() && defaults) return &function->defaults;
  if (!defaults && std::ranges::none_of(call.attributes, is_reference)) return &call.attributes;
  for (const auto& [name, value] : call.attributes) {
    const auto* reference = std::get_if<AttributeReference>(&value);
    if (reference == nullptr) {
      resolved.emplace(name, value);
    } else if (given != nullptr && given->contains(reference->name)) {
      resolved.emplace(name, given->find(reference->name)->second);
    }
  }
  if (defaults) resolved.insert(function->defaults.begin(), function->defaults.end());
  return &resolved;
}

const Body* body_given(const Node& call, const Function* function, std::string_view name) {
  const Body* given = body_of(call.bodies, name);
  return given != nullptr || function == nullptr ? given : body_of(function->default_bodies, name);
}

}  // namespace ifcert
