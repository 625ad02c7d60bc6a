#include "function_attributes.hpp"

#include <algorithm>

namespace ifcert {

const Attributes* attributes_given(const Node& call, const Attributes* given, Attributes& resolved) {
  const auto is_reference = [](const auto& entry) { return std::holds_alternative<AttributeReference>(entry.second); };
  if (std::ranges::none_of(call.attributes, is_reference)) return &call.attributes;
  for (const auto& [name, value] : call.attributes) {
    const auto* reference = std::get_if<AttributeReference>(&value);
    if (reference == nullptr) {
      resolved.emplace(name, value);
    } else if (given != nullptr && given->contains(reference->name)) {
      resolved.emplace(name, given->find(reference->name)->second);
    }
  }
  return &resolved;
}

}  // namespace ifcert
