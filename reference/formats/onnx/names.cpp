#include "formats/onnx/names.hpp"

#include <utility>

namespace ifcert::onnx {

void Names::enter(GraphIndex graph) {
  scopes_.push_back({graph, {}, {}, {}});
}

std::vector<Capture> Names::leave() {
  Scope& scope = scopes_.back();
  for (std::size_t i = scope.names.size(); i-- > 0;) *scope.names[i] = entries_[*scope.names[i] - 1].hidden;
  std::vector<Capture> captures = std::move(scope.captures);
  scopes_.pop_back();
  return captures;
}

const Type* Names::declare_type(std::string_view name, Type type) {
  Type& declared = scopes_.back().declared[name];
  if (declared.known()) return &declared;
  declared = std::move(type);
  return nullptr;
}

const Names::Entry* Names::find(std::string_view name) const {
  const auto found = innermost_.find(name);
  return found == innermost_.end() || found->second == 0 ? nullptr : &entries_[found->second - 1];
}

Names::Visible Names::visible(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr) return Visible::no;
  return entry->depth + 1 == scopes_.size() && !entry->captured ? Visible::in_this_graph : Visible::outside;
}

Slot Names::define(std::string_view name, const Place& place) {
  return add(scopes_.size() - 1, name, false, place);
}

std::optional<Slot> Names::resolve(std::string_view name, const Place& place) {
  const Entry* innermost = find(name);
  if (innermost == nullptr) return std::nullopt;
  Slot slot = innermost->slot;
  for (std::size_t depth = innermost->depth + 1; depth < scopes_.size(); ++depth) {
    const Slot inner = add(depth, name, true, place);
    scopes_[depth].captures.push_back({slot, inner});
    slot = inner;
  }
  return slot;
}

Slot Names::add(std::size_t depth, std::string_view name, bool captured, const Place& place) {
  slot_budget_.spend(1, place);
  if (captured) name_budget_.spend(name.size(), place);
  Scope& scope = scopes_[depth];
  Type declared;
  if (const auto found = scope.declared.find(name); found != scope.declared.end()) {
    type_budget_.spend(parts_of(found->second), place);
    declared = found->second;
  }
  const Slot slot = model_.graphs[scope.graph].add_slot(std::string(name), std::move(declared));
  Innermost& innermost = innermost_[name];
  entries_.push_back({depth, slot, captured, innermost});
  innermost = entries_.size();
  scope.names.push_back(&innermost);
  return slot;
}

}  // namespace ifcert::onnx
