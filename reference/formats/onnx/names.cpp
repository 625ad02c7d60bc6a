#include "formats/onnx/names.hpp"

#include <algorithm>
#include <utility>

#include "model/type_agreement.hpp"
#include "model/type_union.hpp"

namespace ifcert::onnx {

Type completed(Type type, const Type& other) {
  if (!type.item.empty() && !other.item.empty()) {
    type.item.front() = completed(std::move(type.item.front()), other.item.front());
    return type;
  }
  type = refine(std::move(type), other);
  if (!type.shape || !other.shape) return type;
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    if ((*other.shape)[i].known()) (*type.shape)[i] = (*other.shape)[i];
  }
  return type;
}

namespace {

/// The limit on captured values, counted in each graph that they enter. A graph that uses a name spends four bytes of
/// the file or more on it; 300,000 more may only pass through a graph, to graphs inside it.
std::size_t most_captured(std::size_t bytes) {
  constexpr std::size_t passed_on = 300'000;
  return std::min(budget_limit, passed_on + bytes / 4);
}

/// The limit on bytes in the names of captured values, each of which is copied.
std::size_t most_captured_bytes(std::size_t bytes) {
  constexpr std::size_t passed_on = std::size_t{16} << 20;
  constexpr std::size_t times = 16;
  return std::min(64 * budget_limit, passed_on + times * bytes);
}

}  // namespace

Names::Names(Model& model, std::size_t bytes)
    : model_(model),
      capture_budget_("captured values, counted in each graph", most_captured(bytes)),
      name_budget_("bytes in the names of captured values", most_captured_bytes(bytes)) {}

void Names::enter(GraphIndex graph) {
  scopes_.push_back({graph, 0, {}, {}});
}

// Rules: onnx/if/no-leak, onnx/if/sibling-names-independent.
std::vector<Capture> Names::leave() {
  Scope& scope = scopes_.back();
  // Undone in reverse: the earliest entry of a name here restores what the name was outside.
  for (EntryNumber number = scope.last; number != 0; number = entries_[number - 1].earlier) {
    const Entry& entry = entries_[number - 1];
    entry.current = entry.hidden;
  }
  std::vector<Capture> captures = std::move(scope.captures);
  scopes_.pop_back();
  return captures;
}

const Type* Names::declare_type(std::string_view name, const Type& type) {
  Type& declared = scopes_.back().declared[name];
  if (!agree(declared, type)) return &declared;
  declared = completed(std::move(declared), type);
  return nullptr;
}

Names::Visible Names::visible(EntryNumber number) const {
  if (number == 0) return Visible::no;
  const Entry& entry = entries_[number - 1];
  if (entry.missing) return Visible::no;
  return entry.depth + 1 == scopes_.size() && !entry.captured ? Visible::in_this_graph : Visible::outside;
}

Names::Defined Names::define(std::string_view name, const Place& place) {
  EntryNumber& current = current_[name];
  const Visible before = visible(current);
  return {add(scopes_.size() - 1, name, current, false, place), before};
}

Slot Names::define_missing(std::string_view name, const Place& place) {
  const Slot slot = define(name, place).slot;
  entries_.back().missing = true;
  return slot;
}

// Rules: onnx/if/outer-scope-capture, onnx/if/output-is-outer-value.
std::optional<Slot> Names::resolve(std::string_view name, const Place& place) {
  const auto found = current_.find(name);
  if (found == current_.end() || found->second == 0) return std::nullopt;
  const Entry& nearest = entries_[found->second - 1];
  Slot slot = nearest.slot;
  // Each graph within the nearest one that has the value, defined or captured, captures it from the graph around it.
  for (std::size_t depth = nearest.depth + 1; depth < scopes_.size(); ++depth) {
    const Slot inner = add(depth, name, found->second, true, place);
    scopes_[depth].captures.push_back({slot, inner});
    slot = inner;
  }
  return slot;
}

Slot Names::add(std::size_t depth, std::string_view name, EntryNumber& current, bool captured, const Place& place) {
  slot_budget_.spend(1, place);
  if (captured) {
    capture_budget_.spend(1, place);
    name_budget_.spend(name.size(), place);
  }
  Scope& scope = scopes_[depth];  // an outer one where a value is captured on the way in
  std::vector<SlotInfo>& slots = model_.graphs[scope.graph].slots;
  SlotInfo& info = slots.emplace_back();
  info.name = name;
  if (const auto found = scope.declared.find(name); found != scope.declared.end()) {
    type_budget_.spend(parts_of(found->second), place);
    info.declared = found->second;
  }
  const auto slot = static_cast<Slot>(slots.size() - 1);
  const bool missing = captured && entries_[current - 1].missing;
  entries_.push_back({depth, slot, captured, missing, current, scope.last, current});
  current = scope.last = entries_.size();
  return slot;
}

}  // namespace ifcert::onnx
