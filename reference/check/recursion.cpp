#include <algorithm>
#include <optional>

#include "check/model_rules.hpp"
#include "model/findings.hpp"
#include "model/function_attributes.hpp"
#include "model/node_kind.hpp"
#include "model/place.hpp"

namespace ifcert::rules {
namespace {

/// An edge from a graph to one that it calls or enters.
struct Edge {
  GraphIndex to;
  bool through_branch;
};

using Edges = std::vector<std::vector<Edge>>;  // [graph]

Edges edges_of(const Model& model) {
  Edges edges(model.graphs.size());
  for (const Function& function : model.functions) {
    for (const Body& body : function.default_bodies) edges[function.graph].push_back({body.graph, false});
  }
  for (GraphIndex graph = 0; graph < model.graphs.size(); ++graph) {
    for (const Node& node : model.graphs[graph].nodes) {
      for (const Body& body : node.bodies) {
        if (body.reference.empty()) edges[graph].push_back({body.graph, is_if(node)});
      }
    }
  }
  return edges;
}

Edges without_branches(Edges edges) {
  for (std::vector<Edge>& of_graph : edges)
    std::erase_if(of_graph, [](const Edge& edge) { return edge.through_branch; });
  return edges;
}

/// Tarjan's strongly connected components. Every edge within a component is on a cycle. The walk has an explicit path,
/// because a model decides how deep it goes.
class Components {
 public:
  explicit Components(const Edges& edges) : edges_(edges), visited_(edges.size()), component_(edges.size()) {
    for (GraphIndex graph = 0; graph < edges.size(); ++graph) {
      if (!visited_[graph]) follow(graph);
    }
  }

  /// of[graph] is the number of the graph's component.
  std::vector<std::size_t> of() const {
    std::vector<std::size_t> numbers;
    for (const std::optional<std::size_t>& component : component_) numbers.push_back(*component);
    return numbers;
  }

 private:
  struct Visit {
    std::size_t number;  // in the order of the visits
    std::size_t lowest;  // the first visit that is known to be in the same component
  };
  struct Step {
    GraphIndex graph;
    std::size_t next = 0;
  };

  void follow(GraphIndex start) {
    visit(start);
    while (!path_.empty()) {
      const GraphIndex graph = path_.back().graph;
      if (path_.back().next == edges_[graph].size()) {
        leave(graph);
        continue;
      }
      const GraphIndex to = edges_[graph][path_.back().next++].to;
      if (!visited_[to])
        visit(to);
      else if (!component_[to])
        visited_[graph]->lowest = std::min(visited_[graph]->lowest, visited_[to]->number);
    }
  }

  void visit(GraphIndex graph) {
    visited_[graph] = Visit{visits_, visits_};
    ++visits_;
    open_.push_back(graph);
    path_.push_back({graph});
  }

  void leave(GraphIndex graph) {
    path_.pop_back();
    const Visit& visit = *visited_[graph];
    if (!path_.empty()) {
      Visit& before = *visited_[path_.back().graph];
      before.lowest = std::min(before.lowest, visit.lowest);
    }
    if (visit.lowest != visit.number) return;
    while (!component_[graph]) {
      component_[open_.back()] = components_;
      open_.pop_back();
    }
    ++components_;
  }

  const Edges& edges_;
  std::vector<std::optional<Visit>> visited_;
  std::vector<std::optional<std::size_t>> component_;
  std::vector<GraphIndex> open_;  // visited, but their component is not complete
  std::vector<Step> path_;
  std::size_t visits_ = 0, components_ = 0;
};

/// on_cycle[graph]: whether a cycle of the edges goes through the graph's component; with `through_branch`, a cycle
/// that has a branch of an If.
std::vector<bool> on_cycle(const Edges& edges, bool through_branch) {
  const std::vector<std::size_t> component = Components(edges).of();
  std::vector<bool> has_cycle(edges.size());
  for (GraphIndex graph = 0; graph < edges.size(); ++graph) {
    for (const Edge& edge : edges[graph]) {
      if (component[graph] == component[edge.to] && (edge.through_branch || !through_branch))
        has_cycle[component[graph]] = true;
    }
  }
  std::vector<bool> result;
  for (const std::size_t number : component) result.push_back(has_cycle[number]);
  return result;
}

}  // namespace

// Rules: onnx/if/no-function-recursion, onnx/model/no-function-recursion.
std::vector<Diagnostic> find_recursion(const Model& model) {
  const Edges edges = edges_of(model);
  const std::vector<bool> calls = on_cycle(without_branches(edges), false);
  const std::vector<bool> through_branches = on_cycle(edges, true);
  Findings findings;
  for (const Function& function : model.functions) {
    const Place place{.kind = Place::Kind::named, .what = "function", .name = model.graphs[function.graph].name};
    const auto report = [&](std::string_view rule, const char* found) {
      findings.report(rule, place, found, "functions may call functions, but not recursively");
    };
    if (calls[function.graph]) report("onnx/model/no-function-recursion", "the function reaches itself");
    if (through_branches[function.graph])
      report("onnx/if/no-function-recursion", "the function reaches itself through a branch of If");
  }
  return findings.take();
}

}  // namespace ifcert::rules
