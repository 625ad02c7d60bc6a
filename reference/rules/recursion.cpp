#include "rules/recursion.hpp"

#include <fmt/format.h>

namespace ifcert::checker {
namespace {

/// From a graph into a graph, by a call or into a body.
struct Edge {
  GraphIndex to;
  bool through_branch;
};

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (const Node& node : graph.nodes) {
    const bool branch = !node.call && node.op == "If" && node.domain.empty();
    for (const Body& body : node.bodies) {
      if (body.reference.empty()) edges.push_back({body.graph, branch});
    }
  }
  return edges;
}

/// A depth-first walk that keeps its path itself, because a model decides how deep it goes.
class Walk {
 public:
  explicit Walk(const Model& model) : model_(model), state_(model.graphs.size(), State::fresh) {}

  std::vector<Diagnostic> run() {
    for (GraphIndex graph = 0; graph < model_.graphs.size(); ++graph) {
      if (state_[graph] == State::fresh) follow(graph);
    }
    return std::move(broken_);
  }

 private:
  enum class State : std::uint8_t { fresh, on_path, done };
  struct Step {
    GraphIndex graph;
    bool through_branch;
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
    path_.push_back({graph, through_branch, edges_of(model_.graphs[graph])});
  }

  void report(const Edge& back) {
    bool branch = back.through_branch;
    std::size_t at = path_.size() - 1;
    for (; path_[at].graph != back.to; --at) branch = branch || path_[at].through_branch;
    broken_.push_back({branch ? "onnx/if/no-function-recursion" : "onnx/model/no-function-recursion",
                       fmt::format("function \"{}\"", model_.graphs[back.to].name),
                       branch ? "the function reaches itself through a branch of If" : "the function reaches itself",
                       "functions may call functions, but not recursively"});
  }

  const Model& model_;
  std::vector<State> state_;
  std::vector<Step> path_;
  std::vector<Diagnostic> broken_;
};

}  // namespace

std::vector<Diagnostic> find_recursion(const Model& model) {
  return Walk(model).run();
}

}  // namespace ifcert::checker
