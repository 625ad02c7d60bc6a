#include "conformance/fuzz/generator/skipped_branches.hpp"

#include <algorithm>
#include <ifcert/reference.hpp>
#include <set>
#include <utility>

#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert::generator {
namespace {

/// The branches that were entered: the If, and whether its then-branch was taken.
using Entered = std::set<std::pair<NodeIndex, bool>>;

Entered entered_branches(const Model& model, const std::vector<std::vector<Value>>& runs) {
  Entered entered;
  const Program program(model);
  for (const std::vector<Value>& run : runs)
    program.run(run, [&](const BranchTaken& taken) { entered.emplace(taken.node, taken.cond); });
  return entered;
}

class Search {
 public:
  Search(const Model& model, Entered entered) : model_(model), entered_(std::move(entered)) {}

  /// `place` is that of the graph in a run.
  void visit(GraphIndex index, const Place& place, bool skipped) {
    const Graph& graph = model_.graphs[index];
    if (skipped) found.push_back(to_string(graph.subgraph ? place_of(graph) : place));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (node.call) continue;
      const Place here = place_of(graph, i, place);
      for (std::size_t b = 0; b < node.bodies.size(); ++b) {
        const bool entered = !is_if(node) || entered_.contains({{index, i}, b == 0});
        visit(node.bodies[b].graph, here.word(node.bodies[b].role), skipped || !entered);
      }
    }
  }

  std::vector<std::string> found;

 private:
  const Model& model_;
  Entered entered_;
};

}  // namespace

std::vector<std::string> skipped_branches(const Model& model, const std::vector<std::vector<Value>>& runs) {
  Search search(model, entered_branches(model, runs));
  search.visit(0, place_of(model.main()), false);
  return std::move(search.found);
}

bool is_inside(const std::string& place, const std::vector<std::string>& branches) {
  return std::ranges::any_of(branches, [&](const std::string& branch) {
    return place.starts_with(branch) && (place.size() == branch.size() || place.substr(branch.size(), 3) == " / ");
  });
}

}  // namespace ifcert::generator
