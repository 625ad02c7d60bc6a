// Fewer nodes: the readers of a node's output read an operand of the node, a constant, or an earlier value instead.
#include <algorithm>
#include <array>

#include "conformance/fuzz/generator/shrinking/edit.hpp"
#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"

namespace ifcert::generator::shrinking {
namespace {

enum class Instead : std::uint8_t { operand, zeros, earlier, ones };
constexpr std::array all_instead{Instead::operand, Instead::zeros, Instead::earlier, Instead::ones};

bool fits(const Type& type, const Type& other) {
  if (type.kind != other.kind || type.element != other.element || !type.known()) return false;
  return type.is_tensor() ? !type.shape || !other.shape || type.shape->size() == other.shape->size()
                          : type.item == other.item;
}

/// The slots that have a value before any node runs, and those that the first `count` nodes make.
std::vector<Slot> slots_before(const Graph& graph, std::size_t count) {
  std::vector<bool> is_later(graph.slots.size());
  for (std::size_t i = count; i < graph.nodes.size(); ++i) {
    for (const Slot slot : graph.nodes[i].outputs) {
      if (slot != no_slot) is_later[slot] = true;
    }
  }
  std::vector<Slot> before;
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    if (!is_later[slot]) before.push_back(slot);
  }
  return before;
}

/// A graph of a model that is being changed. `types` are those of the slots before the change.
struct ChangedGraph {
  Model& model;
  const std::vector<Type>& types;
  GraphIndex graph;

  Graph& at() const { return model.graphs[graph]; }
  Type type_of(Slot slot) const { return slot < types.size() ? types[slot] : at().slots[slot].declared; }
};

std::optional<Slot> find(const ChangedGraph& graph, const std::vector<Slot>& some, Slot output) {
  const Type type = graph.type_of(output);
  for (const Slot slot : some) {
    if (slot != no_slot && slot != output && fits(type, graph.type_of(slot))) return slot;
  }
  return std::nullopt;
}

std::optional<Slot> constant_like(const ChangedGraph& graph, Slot output, std::int64_t number) {
  std::optional<Value> value = filled(graph.type_of(output), number);
  if (!value) return std::nullopt;
  return add_constant(graph.at(), std::move(*value));
}

std::optional<Slot> found_instead(const ChangedGraph& graph, std::size_t number, Slot output, Instead instead) {
  switch (instead) {
    case Instead::operand:
      return find(graph, graph.at().nodes[number].inputs, output);
    case Instead::zeros:
      return constant_like(graph, output, 0);
    case Instead::earlier:
      return find(graph, slots_before(graph.at(), number), output);
    case Instead::ones:
      return constant_like(graph, output, 1);
  }
  return std::nullopt;
}

/// The slot that takes an output's place: the first of these replacements that is possible.
std::optional<Slot> any_instead(const ChangedGraph& graph, std::size_t number, Slot output,
                                std::initializer_list<Instead> all) {
  for (const Instead instead : all) {
    if (const auto slot = found_instead(graph, number, output, instead)) return slot;
  }
  return std::nullopt;
}

bool drop_node(const ChangedGraph& graph, std::size_t number, std::initializer_list<Instead> order) {
  const Node node = graph.at().nodes[number];
  std::vector<std::pair<Slot, Slot>> replaced;
  for (const Slot output : node.outputs) {
    if (output == no_slot || !is_read(graph.at(), output)) continue;
    const auto instead = any_instead(graph, number, output, order);
    if (!instead) return false;
    replaced.emplace_back(output, *instead);
  }
  graph.at().nodes.erase(graph.at().nodes.begin() + static_cast<std::ptrdiff_t>(number));
  for (const auto& [output, instead] : replaced) redirect(graph.model, graph.graph, number, output, instead);
  return true;
}

bool drop_stretch(const ChangedGraph& graph, std::size_t first, std::size_t end) {
  for (std::size_t i = end; i-- > first;) {
    if (!drop_node(graph, i, {Instead::operand, Instead::zeros, Instead::earlier})) return false;
  }
  return true;
}

}  // namespace

Type Base::type_of(GraphIndex graph, Slot slot) const {
  return graph < types.size() && slot < types[graph].size() ? types[graph][slot] : Type{};
}

Edits fewer_stretches(const Base& base) {
  Edits edits;
  for (GraphIndex graph = 0; graph < base.model().graphs.size(); ++graph) {
    const std::size_t count = base.model().graphs[graph].nodes.size();
    for (std::size_t length = count; length >= 2; length /= 2) {
      for (std::size_t end = count; end >= length; end -= length) {
        edits.emplace_back([graph, end, length, &types = base.types[graph]](Generated& changed) {
          return drop_stretch({changed.model, types, graph}, end - length, end);
        });
      }
    }
  }
  return edits;
}

Edits fewer_nodes(const Base& base) {
  Edits edits;
  for (GraphIndex graph = 0; graph < base.model().graphs.size(); ++graph) {
    for (std::size_t number = base.model().graphs[graph].nodes.size(); number-- > 0;) {
      for (const Instead instead : all_instead) {
        edits.emplace_back([graph, number, instead, &types = base.types[graph]](Generated& changed) {
          return drop_node({changed.model, types, graph}, number, {instead});
        });
      }
    }
  }
  return edits;
}

/// Edits that make a body read a constant of its own instead of an outer value.
Edits fewer_captures(const Base& base) {
  Edits edits;
  for (const Graph& outer : base.model().graphs) {
    for (const Node& node : outer.nodes) {
      for (const Body& body : node.bodies) {
        for (const Capture& capture : body.captures) {
          for (const std::int64_t number : {0, 1}) {
            edits.emplace_back([graph = body.graph, slot = capture.inner, number,
                                &types = base.types[body.graph]](Generated& changed) {
              const ChangedGraph inside{changed.model, types, graph};
              const auto constant = constant_like(inside, slot, number);
              if (constant) redirect(changed.model, graph, 0, slot, *constant);
              return constant.has_value();
            });
          }
        }
      }
    }
  }
  return edits;
}

}  // namespace ifcert::generator::shrinking
