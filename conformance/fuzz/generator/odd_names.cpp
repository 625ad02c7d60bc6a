#include "conformance/fuzz/generator/odd_names.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace ifcert::generator {
namespace {

constexpr std::size_t long_name = 300;

/// Around a name.
struct Dress {
  std::string_view before;
  std::string_view after;
};

constexpr std::array dresses{Dress{"a/b/", ""}, Dress{"", ":0"},          Dress{"scope.", ".weight"},
                             Dress{"-", "-"},   Dress{"with ", " "},      Dress{"then_branch/", "/else_branch"},
                             Dress{"^", "@1"},  Dress{"model/If:", "_/0"}};

std::string dressed(const std::string& name, const Dress* dress) {
  if (name.empty()) return name;
  if (dress == nullptr) return std::string(long_name - name.size() % long_name, 'n') + name;
  return std::string(dress->before) + name + std::string(dress->after);
}

void name_values(Graph& graph, const Dress* dress) {
  for (SlotInfo& slot : graph.slots) slot.name = dressed(slot.name, dress);
}

void name_nodes(Graph& graph, const Dress* dress) {
  for (Node& node : graph.nodes) node.name = dressed(node.name, dress);
}

/// A function's graph has the function's name.
void name_graphs(Model& model, const Dress* dress, bool alike) {
  std::set<GraphIndex> of_functions;
  for (const Function& function : model.functions) of_functions.insert(function.graph);
  for (GraphIndex index = 0; index < model.graphs.size(); ++index) {
    if (of_functions.contains(index)) continue;
    std::string& name = model.graphs[index].name;
    name = alike ? dressed("graph", dress) : dressed(name, dress);
  }
}

}  // namespace

void name_oddly(Model& model, Random& random) {
  const auto any_dress = [&]() -> const Dress* {
    const std::uint64_t number = random.below(dresses.size() + 3);
    return number < dresses.size() ? &dresses.at(number) : nullptr;
  };
  if (random.percent(50)) {
    const Dress* dress = any_dress();
    for (Graph& graph : model.graphs) name_values(graph, dress);
  }
  if (random.percent(50)) {
    const Dress* dress = any_dress();
    for (Graph& graph : model.graphs) name_nodes(graph, dress);
  }
  if (!random.percent(70)) return;
  const Dress* dress = any_dress();
  name_graphs(model, dress, random.percent(50));
}

}  // namespace ifcert::generator
