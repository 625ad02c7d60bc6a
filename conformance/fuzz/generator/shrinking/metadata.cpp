// Less metadata: attributes, declared types, defaults of functions, names.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/fuzz/generator/shrinking/edit.hpp"
#include "conformance/fuzz/generator/shrinking/graph_edits.hpp"

namespace ifcert::generator::shrinking {
namespace {

bool clear_declared(Graph& graph) {
  bool changed = false;
  for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
    if (is_input(graph, slot) || is_output(graph, slot)) continue;
    changed = changed || graph.slots[slot].declared.known();
    graph.slots[slot].declared = {};
  }
  return changed;
}

bool clear_node_names(Generated& changed) {
  bool had_names = false;
  for (Graph& graph : changed.model.graphs) {
    for (Node& node : graph.nodes) {
      had_names = had_names || !node.name.empty();
      node.name.clear();
    }
  }
  return had_names;
}

void shorten_symbols(Type& type, std::map<std::string, std::string>& symbols) {
  if (type.shape) {
    for (Dim& dim : *type.shape) {
      if (!dim.symbol.empty())
        dim.symbol = symbols.try_emplace(dim.symbol, fmt::format("N{}", symbols.size())).first->second;
    }
  }
  for (Type& item : type.item) shorten_symbols(item, symbols);
}

/// x0, x1, … for inputs, y0, … for outputs, c0, … for constants, v0, … for everything else.
bool shorten_names(Generated& changed) {
  std::map<char, std::size_t> counts;
  std::map<std::string, std::string> symbols;
  for (GraphIndex index = 0; index < changed.model.graphs.size(); ++index) {
    Graph& graph = changed.model.graphs[index];
    graph.name = fmt::format("g{}", index);
    for (Slot slot = 0; slot < graph.slots.size(); ++slot) {
      const bool is_constant = std::ranges::count(graph.constants, slot, &Constant::slot) > 0;
      const char letter = is_input(graph, slot) ? 'x' : is_output(graph, slot) ? 'y' : is_constant ? 'c' : 'v';
      graph.slots[slot].name = fmt::format("{}{}", letter, counts[letter]++);
      shorten_symbols(graph.slots[slot].declared, symbols);
    }
  }
  for (const Function& function : changed.model.functions) changed.model.graphs[function.graph].name = function.name;
  return true;
}

}  // namespace

Edits less_metadata(const Base& base) {
  Edits edits{clear_node_names, shorten_names};
  for (GraphIndex graph = 0; graph < base.model().graphs.size(); ++graph) {
    if (base.model().format == Format::onnx)
      edits.emplace_back([graph](Generated& changed) { return clear_declared(changed.model.graphs[graph]); });
    const std::vector<Node>& nodes = base.model().graphs[graph].nodes;
    for (std::size_t number = 0; number < nodes.size(); ++number) {
      for (const auto& [name, value] : nodes[number].attributes) {
        edits.emplace_back([graph, number, name](Generated& changed) {
          return changed.model.graphs[graph].nodes[number].attributes.erase(name) > 0;
        });
      }
    }
  }
  return edits;
}

}  // namespace ifcert::generator::shrinking
