#include "convert/inline_functions.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "convert/fresh_names.hpp"
#include "convert/growth.hpp"
#include "convert/translators.hpp"
#include "limits/budget.hpp"
#include "limits/out_of_memory.hpp"
#include "model/function_attributes.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "operators/operator.hpp"

namespace ifcert::translation {
namespace {

/// The limit on bytes in the names and attributes of values and nodes, counting each copy.
constexpr std::size_t most_bytes_copied = std::size_t{64} << 20;

std::size_t bytes_of(const Node& node, const CallAttributes* call) {
  std::size_t bytes = node.name.size() + node.op.size();
  for (const auto& [name, value] : node.attributes) {
    const AttributeValue* held = kernels::find_attribute(node, name, call);
    bytes += name.size() + (held == nullptr ? 0 : bytes_in(*held));
  }
  return bytes;
}

/// A graph of the new model while it is built, with the graph around it.
struct NewGraph {
  NewGraph* outer = nullptr;
  Graph graph;
  std::vector<Capture> captures;
  std::unordered_map<Slot, Slot> captured;  // slot of the outer level → slot here
  std::unordered_set<std::string> node_names;
  std::unordered_map<std::string, std::size_t> copies;  // by name: how many nodes got it with a number

  /// The names of nodes are unique, and a function that is called twice brings each name twice.
  /// Sentence: ir-names-unique.
  std::string unused_node_name(const std::string& name) {
    std::string unused = name;
    while (!name.empty() && !node_names.insert(unused).second) unused = fmt::format("{}_{}", name, ++copies[name]);
    return unused;
  }
};

struct Copied;

using InlinedCall = FunctionCall<const Copied*>;

/// A graph of the old model while it is copied: to which level, for which call, and where its values are.
struct Copied {
  NewGraph& level;
  const InlinedCall* call;
  std::vector<Slot> slots;
  std::size_t depth;
};

class Inliner {
 public:
  explicit Inliner(const Model& from) : from_(from), functions_(functions_by_graph(from)), fresh_(from) {}

  Model inlined();

 private:
  void copy_graph(GraphIndex index, Copied& copied, const Place& place);
  Slot capture(NewGraph& inner, const NewGraph& level, Slot slot, const Place& place);
  void spend_copies(std::size_t copies, const Place& place);
  void spend_bytes(std::size_t bytes, const Place& place);
  void copy_node(GraphIndex index, const Node& node, Copied& copied, const Place& place);
  void copy_call(GraphIndex index, const Node& node, Copied& copied, const Place& place);
  Body copy_body(const Body& body, Copied& copied, const Place& place);
  /// The names in a function are its own: each copy of a value gets a new one.
  void define(GraphIndex index, Slot slot, Copied& copied) {
    const SlotInfo& info = from_.graphs[index].slots[slot];
    const bool is_named = copied.call != nullptr && !info.name.empty();
    copied.slots[slot] = copied.level.graph.add_slot(is_named ? fresh_.like(info.name) : info.name, info.declared);
  }
  std::vector<Slot> unknown_slots(GraphIndex index) const {
    return std::vector<Slot>(from_.graphs[index].slots.size(), no_slot);
  }

  const Model& from_;
  const std::vector<const Function*> functions_;
  FreshNames fresh_;
  Model to_;
  std::size_t copied_ = 0;
  std::size_t bytes_copied_ = 0;
};

std::vector<Slot> copies_of(const std::vector<Slot>& slots, const Copied& copied) {
  std::vector<Slot> copies;
  for (const Slot slot : slots) copies.push_back(slot == no_slot ? no_slot : copied.slots[slot]);
  return copies;
}

Model Inliner::inlined() {
  to_.format = from_.format;
  to_.path = from_.path;
  to_.producer = from_.producer;
  to_.ir_version = from_.ir_version;
  to_.opsets = from_.opsets;
  to_.graphs.emplace_back();
  const Graph& main = from_.main();
  NewGraph level;
  level.graph.name = main.name;
  Copied copied{level, nullptr, unknown_slots(0), 0};
  for (const Slot slot : main.inputs) define(0, slot, copied);
  level.graph.inputs = copies_of(main.inputs, copied);
  copy_graph(0, copied, place_of(main));
  level.graph.outputs = copies_of(main.outputs, copied);
  to_.graphs.front() = std::move(level.graph);
  return std::move(to_);
}

/// Copies everything but inputs and outputs.
void Inliner::copy_graph(GraphIndex index, Copied& copied, const Place& place) {
  const Graph& from = from_.graphs[index];
  spend_copies(from.slots.size() + from.nodes.size(), place);
  if (copied.depth > nesting_limit)
    refuse(place, fmt::format("functions, copied for each call, exceed {} levels", nesting_limit));
  for (const SlotInfo& slot : from.slots)
    spend_bytes(slot.name.size() + parts_of(slot.declared) * bytes_per_part, place);
  for (const Constant& constant : from.constants) {
    if (copied.slots[constant.slot] == no_slot) define(index, constant.slot, copied);
    copied.level.graph.constants.push_back({copied.slots[constant.slot], constant.value});
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    const Place here = place_of(from, i, place);
    naming_out_of_memory(here, [&] {
      from.nodes[i].call ? copy_call(index, from.nodes[i], copied, here)
                         : copy_node(index, from.nodes[i], copied, here);
    });
  }
}

void Inliner::spend_copies(std::size_t copies, const Place& place) {
  copied_ += copies;
  if (copied_ > most_copied)
    refuse(place, fmt::format("functions, copied for each call, exceed {} values and nodes", most_copied));
}

void Inliner::spend_bytes(std::size_t bytes, const Place& place) {
  bytes_copied_ += bytes;
  if (bytes_copied_ > most_bytes_copied)
    refuse(place,
           fmt::format("functions, copied for each call, exceed {} bytes of names and attributes", most_bytes_copied));
}

void Inliner::copy_node(GraphIndex index, const Node& node, Copied& copied, const Place& place) {
  const CallAttributes* call = attributes_of(copied.call);
  spend_bytes(bytes_of(node, call), place);
  Node made;
  made.name = copied.level.unused_node_name(node.name);
  made.domain = node.domain;
  made.op = node.op;
  made.version = node.version;
  made.inputs = copies_of(node.inputs, copied);
  if (is_if(node) && !made.inputs.empty() && made.inputs.front() == no_slot)
    refuse(place, "cond is an input of the function that the call leaves out");
  Attributes resolved;
  made.attributes = *resolved_attributes(node, call, resolved);
  for (const Body& body : node.bodies) made.bodies.push_back(copy_body(body, copied, place.word(body.role)));
  for (const Slot slot : node.outputs) {
    if (slot != no_slot) define(index, slot, copied);
  }
  made.outputs = copies_of(node.outputs, copied);
  copied.level.graph.nodes.push_back(std::move(made));
}

/// The slot of the inner graph for a value of that level, the graph's own or one around it; each graph in between
/// captures it.
Slot Inliner::capture(NewGraph& inner, const NewGraph& level, Slot slot, const Place& place) {
  if (&level == &inner) return slot;
  const Slot outer_slot = capture(*inner.outer, level, slot, place);
  const auto [found, is_new] = inner.captured.try_emplace(outer_slot, no_slot);
  if (is_new) {
    const std::string& name = inner.outer->graph.slots[outer_slot].name;
    spend_copies(1, place);
    spend_bytes(name.size(), place);
    found->second = inner.graph.add_slot(name);
    inner.captures.push_back({outer_slot, found->second});
  }
  return found->second;
}

/// Copies the body, or the graph that the call passes for it, whose captures are values around the call.
Body Inliner::copy_body(const Body& body, Copied& copied, const Place& place) {
  const auto found = resolve_body(body, static_cast<const Copied*>(&copied), copied.call);
  if (!found) refuse(place, fmt::format("no call passes the graph \"{}\"", body.reference));
  const Body& resolved = *found->body;
  const Copied& scope = *found->scope;
  const Graph& from = from_.graphs[resolved.graph];
  const auto index = static_cast<GraphIndex>(to_.graphs.size());
  to_.graphs.emplace_back();
  NewGraph level{&copied.level, {}, {}, {}, {}, {}};
  level.graph.name = from.name;
  Copied inside{level, found->call, unknown_slots(resolved.graph), copied.depth + 1};
  for (const Capture& captured : resolved.captures) {
    const Slot outer = scope.slots[captured.outer];
    if (outer != no_slot) inside.slots[captured.inner] = capture(level, scope.level, outer, place);
  }
  for (const Slot slot : from.inputs) define(resolved.graph, slot, inside);
  level.graph.inputs = copies_of(from.inputs, inside);
  copy_graph(resolved.graph, inside, place);
  level.graph.outputs = copies_of(from.outputs, inside);
  for (std::size_t i = 0; i < level.graph.outputs.size(); ++i) {
    if (level.graph.outputs[i] == no_slot)
      refuse(place.numbered("output", i), "an input of the function that the call leaves out");
  }
  to_.graphs[index] = std::move(level.graph);
  return {body.role, index, std::move(level.captures), {}};
}

/// The outputs of the function get the names that they have around the call.
void Inliner::copy_call(GraphIndex index, const Node& node, Copied& copied, const Place& place) {
  const GraphIndex callee = node.bodies.front().graph;
  const Graph& from = from_.graphs[callee];
  const InlinedCall call{CallAttributes(node, functions_[callee], attributes_of(copied.call)),
                         CallBodies(node, functions_[callee], bodies_of(copied.call)), &copied, copied.call};
  Copied inside{copied.level, &call, unknown_slots(callee), copied.depth + 1};
  const std::vector<Slot> inputs = copies_of(node.inputs, copied);
  for (std::size_t i = 0; i < inputs.size() && i < from.inputs.size(); ++i) inside.slots[from.inputs[i]] = inputs[i];
  copy_graph(callee, inside, place);
  for (std::size_t i = 0; i < node.outputs.size() && i < from.outputs.size(); ++i) {
    if (node.outputs[i] == no_slot) continue;
    const Slot result = inside.slots[from.outputs[i]];
    if (result == no_slot)
      refuse(place.numbered("output", i), "the function returns an input that the call leaves out");
    define(index, node.outputs[i], copied);
    Node same;
    same.op = "Identity";
    if (const auto opset = from_.opsets.find(""); opset != from_.opsets.end())  // the call's version is its domain's
      same.version = static_cast<int>(opset->second);
    same.inputs = {result};
    same.outputs = {copied.slots[node.outputs[i]]};
    copied.level.graph.nodes.push_back(std::move(same));
  }
}

}  // namespace

Model inlined_functions(const Model& model) {
  return Inliner(model).inlined();
}

}  // namespace ifcert::translation
