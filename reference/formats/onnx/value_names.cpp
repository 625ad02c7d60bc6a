#include "formats/onnx/value_names.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ifcert::onnx {
namespace {

const std::string no_name;

}  // namespace

ValueNames::ValueNames(const Model& model) : main_(model.main()) {
  std::unordered_set<std::string_view> inputs;
  for (const Slot slot : main_.inputs) inputs.insert(main_.slots[slot].name);
  for (const Slot slot : main_.outputs) {
    const std::string& name = main_.slots[slot].name;
    if (!inputs.contains(name)) outputs_.emplace(name, slot);
  }
  for (const Graph& graph : model.graphs) {
    for (const SlotInfo& slot : graph.slots) taken_.insert(slot.name);
  }
}

void ValueNames::enter(const Graph& graph, const std::vector<Capture>& captures) {
  std::vector<const std::string*> names(graph.slots.size(), &no_name);
  for (const Capture& capture : captures) names[capture.inner] = &of(capture.outer);
  scopes_.push_back({&graph, std::move(names), {}});
}

void ValueNames::leave() {
  for (const Slot slot : scopes_.back().defined) visible_.erase(visible_.find(*scopes_.back().names[slot]));
  scopes_.pop_back();
}

const std::string& ValueNames::define(Slot slot) {
  Scope& scope = scopes_.back();
  const std::string*& name = scope.names[slot];
  if (!name->empty()) return *name;
  const std::string& own = scope.graph->slots[slot].name;
  name = &*visible_.insert(is_free(own, slot) ? own : fresh(own.empty() ? "value" : own)).first;
  scope.defined.push_back(slot);
  return *name;
}

bool ValueNames::is_free(const std::string& name, Slot slot) const {
  if (name.empty() || visible_.contains(name)) return false;
  const auto output = outputs_.find(name);
  return scopes_.back().graph != &main_ || output == outputs_.end() || output->second == slot;
}

std::string ValueNames::fresh(const std::string& name) {
  std::size_t& number = made_[name];
  while (true) {
    std::string made = fmt::format("{}_{}", name, ++number);
    if (taken_.insert(made).second) return made;
  }
}

}  // namespace ifcert::onnx
