#include "convert/own_names.hpp"

#include <fmt/format.h>

#include <ifcert/inexpressible.hpp>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "convert/fresh_names.hpp"
#include "model/node_place.hpp"

namespace ifcert::translation {
namespace {

class OwnNames {
 public:
  explicit OwnNames(Model& model) : model_(model), fresh_(model), captured_(model.graphs.size()) {}

  void give();

 private:
  void keep_ports(const std::vector<Slot>& slots, std::string_view what);
  void rename_inner(GraphIndex index);
  void note_captures(const Graph& graph);

  Model& model_;
  FreshNames fresh_;
  std::unordered_map<std::string, Slot> ports_;  // the inputs and outputs of the main graph, by name
  std::vector<std::vector<Slot>> captured_;      // by graph: captures that have the same name around the graph
  std::unordered_set<std::string_view> used_;    // names of other values
};

void OwnNames::keep_ports(const std::vector<Slot>& slots, std::string_view what) {
  const Graph& main = model_.main();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::string& name = main.slots[slots[i]].name;
    if (name.empty() || ports_.emplace(name, slots[i]).first->second == slots[i]) continue;
    throw Inexpressible(to_string(place_of(main).numbered(what, i)),
                        fmt::format("another input or output, of another value, is also named \"{}\"", name));
  }
}

void OwnNames::note_captures(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (const Body& body : node.bodies) {
      const Graph& inside = model_.graphs[body.graph];
      for (const Capture& capture : body.captures) {
        if (capture.outer != no_slot && inside.slots[capture.inner].name == graph.slots[capture.outer].name)
          captured_[body.graph].push_back(capture.inner);
      }
    }
  }
}

void OwnNames::rename_inner(GraphIndex index) {
  Graph& graph = model_.graphs[index];
  std::vector<bool> keeps(graph.slots.size());
  for (const Slot slot : captured_[index]) keeps[slot] = true;
  if (index == 0) {
    for (const auto& [name, slot] : ports_) keeps[slot] = true;
  }
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    std::string& name = graph.slots[slot].name;
    if (keeps[slot] || name.empty()) continue;
    if (ports_.contains(name) || used_.contains(name)) name = fresh_.like(name);
    used_.insert(name);
  }
}

/// Sentence: ir-names-unique.
void rename_nodes(Graph& graph) {
  FreshNames fresh(graph);
  std::unordered_set<std::string_view> used;
  for (Node& node : graph.nodes) {
    if (node.name.empty()) continue;
    if (used.contains(node.name)) node.name = fresh.like(node.name);
    used.insert(node.name);
  }
}

/// A graph that is entered from another one has a larger index, so the names around a body are known before its own.
void OwnNames::give() {
  keep_ports(model_.main().inputs, "input");
  keep_ports(model_.main().outputs, "output");
  for (GraphIndex index = 0; index < model_.graphs.size(); ++index) {
    rename_inner(index);
    rename_nodes(model_.graphs[index]);
    note_captures(model_.graphs[index]);
  }
}

}  // namespace

Model with_own_names(Model model) {
  OwnNames(model).give();
  return model;
}

}  // namespace ifcert::translation
