#include "specialise/extract.hpp"

#include <unordered_map>
#include <utility>

namespace ifcert {
namespace {

/// Copies graphs with all that they enter; a graph that several nodes enter is copied once.
class Extractor {
 public:
  Extractor(const Model& from, std::span<const Function* const> functions, Extract& to)
      : from_(from), functions_(functions), to_(to) {}

  void bind(std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      for (Body& body : node.bodies) {
        if (body.reference.empty()) body.graph = copied(body.graph);
      }
    }
  }

 private:
  GraphIndex copied(GraphIndex index) {
    const auto [found, is_new] = copies_.try_emplace(index, static_cast<GraphIndex>(to_.model.graphs.size()));
    if (!is_new) return found->second;
    const GraphIndex copy = found->second;
    to_.model.graphs.emplace_back();
    to_.graphs.push_back(index);
    Graph graph = from_.graphs[index];
    bind(graph.nodes);
    to_.model.graphs[copy] = std::move(graph);
    if (functions_[index] != nullptr) copy_function(*functions_[index], copy);
    return copy;
  }

  void copy_function(const Function& function, GraphIndex copy) {
    Function made = function;
    made.graph = copy;
    for (Body& body : made.default_bodies) body.graph = copied(body.graph);
    to_.model.functions.push_back(std::move(made));
  }

  const Model& from_;
  const std::span<const Function* const> functions_;
  Extract& to_;
  std::unordered_map<GraphIndex, GraphIndex> copies_;
};

/// The constants for those slots that the graph's nodes read and that are known.
std::vector<Constant> constants_read(const Graph& graph, std::span<const Value> known) {
  std::vector<bool> read(graph.slots.size());
  for (const Node& node : graph.nodes) {
    for (const Slot slot : node.inputs) {
      if (slot != no_slot) read[slot] = true;
    }
    for (const Body& body : node.bodies) {
      for (const Capture& capture : body.captures) {
        if (capture.outer != no_slot) read[capture.outer] = true;
      }
    }
  }
  std::vector<Constant> constants;
  for (Slot slot = 0; slot < read.size(); ++slot) {
    if (read[slot] && !known[slot].empty()) constants.push_back({slot, known[slot]});
  }
  return constants;
}

}  // namespace

Extract extract(const Model& model, std::span<const Function* const> functions, GraphIndex graph,
                std::span<const Value> known, std::vector<std::size_t> nodes, std::vector<Slot> outputs) {
  const Graph& from = model.graphs[graph];
  Extract made{.model = {}, .graphs = {graph}, .nodes = std::move(nodes)};
  made.model.format = model.format;
  made.model.path = model.path;
  made.model.ir_version = model.ir_version;
  made.model.opsets = model.opsets;
  Graph main;
  main.name = from.name;
  main.subgraph = from.subgraph;
  main.slots = from.slots;
  main.outputs = std::move(outputs);
  for (const std::size_t number : made.nodes) main.nodes.push_back(from.nodes[number]);
  main.constants = constants_read(main, known);
  made.model.graphs.emplace_back();
  Extractor(model, functions, made).bind(main.nodes);
  made.model.graphs.front() = std::move(main);
  return made;
}

}  // namespace ifcert
