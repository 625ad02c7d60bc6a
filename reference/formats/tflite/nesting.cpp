#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/tflite/subgraph_rules.hpp"
#include "model/node_kind.hpp"
#include "model/node_place.hpp"

namespace ifcert::tflite {
namespace {

/// A depth-first walk with an explicit stack, because a file decides how deep it goes.
class Walk {
 public:
  Walk(Model& model, Findings& findings)
      : model_(model), findings_(findings), state_(model.graphs.size(), State::fresh), depth_(model.graphs.size()) {}

  void run() {
    for (GraphIndex graph = 0; graph < model_.graphs.size(); ++graph) {
      if (state_[graph] == State::fresh) follow(graph);
    }
    std::ranges::for_each(recursive_, [](Node* node) { node->bodies.clear(); });
  }

 private:
  enum class State : std::uint8_t { fresh, on_path, done };
  struct Step {
    GraphIndex graph;
    std::size_t node = 0, body = 0;  // the next one to look at
  };

  void follow(GraphIndex start) {
    push(start);
    while (!path_.empty()) {
      Step& step = path_.back();
      std::vector<Node>& nodes = model_.graphs[step.graph].nodes;
      if (step.node == nodes.size()) {
        pop();
      } else if (step.body == nodes[step.node].bodies.size()) {
        ++step.node;
        step.body = 0;
      } else {
        enter(step, nodes[step.node]);
      }
    }
  }

  void enter(Step& step, Node& node) {
    const GraphIndex to = node.bodies[step.body++].graph;
    if (state_[to] == State::on_path) {
      report(step.graph, step.node, to);
      recursive_.push_back(&node);
    } else if (state_[to] == State::fresh) {
      push(to);
    } else {
      deepen(step, to);
    }
  }

  void push(GraphIndex graph) {
    state_[graph] = State::on_path;
    depth_[graph] = 1;
    path_.push_back({graph});
  }

  void pop() {
    const GraphIndex done = path_.back().graph;
    state_[done] = State::done;
    path_.pop_back();
    if (!path_.empty()) deepen(path_.back(), done);
  }

  /// depth_ counts a subgraph and the levels below it.
  /// Rule: tflite/file/nesting-limit.
  void deepen(const Step& step, GraphIndex entered) {
    depth_[step.graph] = std::max(depth_[step.graph], depth_[entered] + 1);
    if (depth_[step.graph] <= nesting_limit + 1) return;
    const Graph& outer = model_.graphs[step.graph];
    const Place graph_place = place_of(outer);
    throw UnreadableModel({"tflite/file/nesting-limit", to_string(place_of(outer, step.node, graph_place)),
                           fmt::format("subgraphs are nested more than {} deep", nesting_limit),
                           "a model within this reader's limits"});
  }

  // Rules: tflite/if/no-recursion, tflite/while/no-recursion.
  void report(GraphIndex graph, std::size_t node, GraphIndex to) {
    const Graph& outer = model_.graphs[graph];
    const Place graph_place = place_of(outer);
    findings_.report(is_if(outer.nodes[node]) ? "tflite/if/no-recursion" : "tflite/while/no-recursion",
                     place_of(outer, node, graph_place),
                     fmt::format("{} leads back to this operator", to_string(place_of(model_.graphs[to]))),
                     "subgraphs that do not reach themselves");
  }

  Model& model_;
  Findings& findings_;
  std::vector<State> state_;
  std::vector<std::size_t> depth_;
  std::vector<Step> path_;
  std::vector<Node*> recursive_;
};

}  // namespace

void check_nesting(Model& model, Findings& findings) {
  Walk(model, findings).run();
}

}  // namespace ifcert::tflite
