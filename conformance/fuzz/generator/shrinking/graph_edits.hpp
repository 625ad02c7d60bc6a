// The parts that edits are made of: finding the readers of a slot, and replacing it.
#pragma once

#include <ifcert/graph.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ifcert::generator::shrinking {

/// Calls `see` with each slot that the node or its bodies read, by reference.
template <class Node, class See>
void for_each_read(Node& node, const See& see) {
  for (auto& slot : node.inputs) {
    if (slot != no_slot) see(slot);
  }
  for (auto& body : node.bodies) {
    for (auto& capture : body.captures) see(capture.outer);
  }
}

/// Replaces the reads by nodes and bodies, but not the graph's outputs.
void replace_reads(Graph& graph, Slot from, Slot to);

/// Erases the element at that index; false if there is none.
template <class T>
bool erase_at(std::vector<T>& all, std::size_t number) {
  if (number >= all.size()) return false;
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(number));
  return true;
}

/// Whether a node, a body or the graph's outputs read the slot.
bool is_read(const Graph& graph, Slot slot);

bool is_output(const Graph& graph, Slot slot);
bool is_input(const Graph& graph, Slot slot);

/// Whether a node of the graph makes the slot.
bool is_made(const Graph& graph, Slot slot);

/// Makes everything that reads `from` read `to` instead. An output of the graph becomes `to` itself where a node makes
/// it, and otherwise, in ONNX, an Identity of it, inserted before node `position`: branches that return outer values
/// directly are doubtful.
void redirect(Model& model, GraphIndex graph, std::size_t position, Slot from, Slot to);

/// A tensor of that type whose elements are all that number (or, for strings, empty); axes of unknown size have one
/// element. nullopt if the type has no such tensor.
std::optional<Value> filled(const Type& type, std::int64_t number);

/// Adds a constant to the graph.
Slot add_constant(Graph& graph, Value value);

/// A node of the format's own operators in the version that the model uses.
Node operation(const Model& model, const std::string& op, std::vector<Slot> inputs, std::vector<Slot> outputs);

}  // namespace ifcert::generator::shrinking
