#include "rules/recursion.hpp"

#include <fmt/format.h>

#include "findings.hpp"
#include "function_attributes.hpp"
#include "node_kind.hpp"
#include "place.hpp"

namespace ifcert::rules {
namespace {

/// An edge from a graph to one that it calls or enters.
struct Edge {
  GraphIndex to;
  bool through_branch;
};

std::vector<Edge> edges_of(const Graph& graph, const Function* function) {
  std::vector<Edge> edges;
  if (function != nullptr) {
    for (const Body& body : function->default_bodies) edges.push_back({body.graph, false});
  }
  for (const Node& node : graph.nodes) {
    const bool branch = is_if(node);
    for (const Body& body : node.bodies) {
      if (body.reference.empty()) edges.push_back({body.graph, branch});
    }
  }
  return edges;
}

/// A depth-first walk with an explicit stack, because a model decides how deep it goes.
class Walk {
 public:
  explicit Walk(const Model& model)
      : model_(model),
        functions_(functions_by_graph(model)),
        state_(model.graphs.size(), State::fresh),
        position_(model.graphs.size()) {}

  std::vector<Diagnostic> run() {
    for (GraphIndex graph = 0; graph < model_.graphs.size(); ++graph) {
      if (state_[graph] == State::fresh) follow(graph);
    }
    return findings_.take();
  }

 private:
  enum class State : std::uint8_t { fresh, on_path, done };
  struct Step {
    GraphIndex graph;
    std::size_t branches;  // the number of branches of Ifs on the path up to here
    std::vector<Edge> edges;
    std::size_t next = 0;
  };

  void follow(GraphIndex start) {
    push(start, false);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == step.edges.size()) {
        state_[step.graph] = State::done;
        path_.pop_back();
        continue;
      }
      const Edge edge = step.edges[step.next++];
      if (state_[edge.to] == State::fresh)
        push(edge.to, edge.through_branch);
      else if (state_[edge.to] == State::on_path)
        report(edge);
    }
  }

  void push(GraphIndex graph, bool through_branch) {
    state_[graph] = State::on_path;
    position_[graph] = path_.size();
    const std::size_t before = path_.empty() ? 0 : path_.back().branches;
    path_.push_back({graph, before + (through_branch ? 1 : 0), edges_of(model_.graphs[graph], functions_[graph])});
  }

  void report(const Edge& back) {
    const bool branch = back.through_branch || path_.back().branches > path_[position_[back.to]].branches;
    const Place place{.kind = Place::Kind::named, .what = "function", .name = model_.graphs[back.to].name};
    findings_.report(branch ? "onnx/if/no-function-recursion" : "onnx/model/no-function-recursion", place,
                     branch ? "the function reaches itself through a branch of If" : "the function reaches itself",
                     "functions may call functions, but not recursively");
  }

  const Model& model_;
  std::vector<const Function*> functions_;
  std::vector<State> state_;
  std::vector<Step> path_;
  std::vector<std::size_t> position_;  // on the path, for the graphs on it
  Findings findings_;
};

}  // namespace

std::vector<Diagnostic> find_recursion(const Model& model) {
  return Walk(model).run();
}

}  // namespace ifcert::rules
