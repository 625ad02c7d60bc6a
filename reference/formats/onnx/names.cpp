#include "formats/onnx/names.hpp"

#include <stdexcept>
#include <utility>

namespace ifcert::onnx {
namespace {

/// A small file can ask for many slots: every name it captures is a slot in each of up to a thousand graphs.
constexpr std::size_t slot_limit = 10'000'000;

}  // namespace

void Names::enter(GraphIndex graph) {
  scopes_.push_back({graph, {}, {}, {}});
}

std::vector<Capture> Names::leave() {
  Scope& scope = scopes_.back();
  for (const std::string_view name : scope.names) entries_.at(name).pop_back();
  std::vector<Capture> captures = std::move(scope.captures);
  scopes_.pop_back();
  return captures;
}

void Names::declare_type(std::string_view name, Type type) {
  Type& declared = scopes_.back().declared[name];
  if (!declared.known()) declared = std::move(type);
}

Names::Visible Names::visible(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.empty()) return Visible::no;
  const Entry& entry = found->second.back();
  return entry.depth + 1 == scopes_.size() && !entry.captured ? Visible::in_this_graph : Visible::outside;
}

Slot Names::define(std::string_view name) {
  return add(scopes_.size() - 1, name, false);
}

std::optional<Slot> Names::resolve(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.empty()) return std::nullopt;
  const Entry innermost = found->second.back();
  Slot slot = innermost.slot;
  for (std::size_t depth = innermost.depth + 1; depth < scopes_.size(); ++depth) {
    const Slot inner = add(depth, name, true);
    scopes_[depth].captures.push_back({slot, inner});
    slot = inner;
  }
  return slot;
}

Slot Names::add(std::size_t depth, std::string_view name, bool captured) {
  if (++slots_ > slot_limit) throw std::length_error("more than 10 million values, counting each capture");
  Scope& scope = scopes_[depth];
  const auto declared = scope.declared.find(name);
  const Slot slot = model_.graphs[scope.graph].add_slot(std::string(name),
                                                        declared == scope.declared.end() ? Type{} : declared->second);
  scope.names.push_back(name);
  entries_[name].push_back({depth, slot, captured});
  return slot;
}

}  // namespace ifcert::onnx
