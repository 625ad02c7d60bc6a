#include <algorithm>

#include "conformance/fuzz/generator/faults/fault.hpp"
#include "model/node_kind.hpp"

namespace ifcert::generator::faults {
namespace {

/// Calls `see` for each graph that is reached from this one, itself included.
template <class See>
void for_each_graph(const Model& model, GraphIndex index, bool in_function, const See& see) {
  see(index, in_function);
  for (const Node& node : model.graphs[index].nodes) {
    for (std::size_t i = node.call ? 1 : 0; i < node.bodies.size(); ++i) {
      if (node.bodies[i].reference.empty()) for_each_graph(model, node.bodies[i].graph, in_function, see);
    }
  }
}

template <class See>
void for_each_graph(const Model& model, const See& see) {
  for_each_graph(model, 0, false, see);
  for (const Function& function : model.functions) for_each_graph(model, function.graph, true, see);
}

bool is_passed_a_branch(const Node& node) {
  return std::ranges::any_of(node.bodies, [](const Body& body) { return !body.reference.empty(); });
}

}  // namespace

std::vector<NodePosition> all_ifs(const Model& model) {
  std::vector<NodePosition> positions;
  for_each_graph(model, [&](GraphIndex index, bool in_function) {
    const std::vector<Node>& nodes = model.graphs[index].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (is_if(nodes[i]) && !is_passed_a_branch(nodes[i])) positions.push_back({index, i, in_function});
    }
  });
  return positions;
}

std::vector<NodePosition> all_positions(const Model& model) {
  std::vector<NodePosition> positions;
  for_each_graph(model, [&](GraphIndex index, bool in_function) {
    for (std::size_t i = 0; i <= model.graphs[index].nodes.size(); ++i) positions.push_back({index, i, in_function});
  });
  return positions;
}

std::optional<NodePosition> any_position(const std::vector<NodePosition>& positions, Random& random) {
  if (positions.empty()) return std::nullopt;
  return positions[random.below(positions.size())];
}

Slot insert(Model& model, NodePosition at, const std::string& op, std::vector<Slot> inputs, Attributes attributes,
            const std::string& name) {
  Graph& graph = model.graphs[at.graph];
  Node node;
  node.op = op;
  node.version = static_cast<int>(model.opsets.find("")->second);
  node.inputs = std::move(inputs);
  node.outputs = {graph.add_slot(name)};
  node.attributes = std::move(attributes);
  const Slot made = node.outputs[0];
  graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(at.node), std::move(node));
  return made;
}

Slot insert_constant(Model& model, NodePosition at, std::int64_t count, ElementType element, const std::string& name) {
  std::byte* bytes = nullptr;
  Tensor tensor{element, {count}, Buffer::allocate(bytes_of(element, static_cast<std::uint64_t>(count)), &bytes), {}};
  return insert(model, at, "Constant", {}, {{"value", Value(std::move(tensor))}}, name);
}

}  // namespace ifcert::generator::faults
