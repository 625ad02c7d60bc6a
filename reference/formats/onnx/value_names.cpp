#include "formats/onnx/value_names.hpp"

#include <fmt/format.h>

namespace ifcert::onnx {

ValueNames::ValueNames(const Model& model) {
  for (const Graph& graph : model.graphs) {
    for (const SlotInfo& slot : graph.slots) taken_.insert(slot.name);
  }
}

void ValueNames::enter(const Graph& graph, const std::vector<Capture>& captures) {
  std::vector<std::string> names(graph.slots.size());
  for (const Capture& capture : captures) names[capture.inner] = of(capture.outer);
  scopes_.push_back({&graph, std::move(names), {}});
}

void ValueNames::leave() {
  for (const Slot slot : scopes_.back().defined) visible_.erase(scopes_.back().names[slot]);
  scopes_.pop_back();
}

const std::string& ValueNames::define(Slot slot) {
  Scope& scope = scopes_.back();
  std::string& name = scope.names[slot];
  if (!name.empty()) return name;
  const std::string& own = scope.graph->slots[slot].name;
  name = own.empty() || visible_.contains(own) ? fresh(own.empty() ? "value" : own) : own;
  visible_.insert(name);
  scope.defined.push_back(slot);
  return name;
}

std::string ValueNames::fresh(const std::string& name) {
  std::size_t& number = made_[name];
  while (true) {
    std::string made = fmt::format("{}_{}", name, ++number);
    if (taken_.insert(made).second) return made;
  }
}

}  // namespace ifcert::onnx
