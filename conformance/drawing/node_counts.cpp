#include "conformance/drawing/node_counts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ifcert::drawing {
namespace {

constexpr std::size_t counted_nodes = 1'000'000'000;

template <class See>
void for_each_body(const Graph& graph, See see) {
  for (const Node& node : graph.nodes) {
    for (std::size_t i = node.call ? 1 : 0; i < node.bodies.size(); ++i) {
      if (node.bodies[i].reference.empty()) see(node.bodies[i].graph);
    }
  }
}

}  // namespace

std::size_t NodeCounts::of(GraphIndex graph) {
  std::vector<GraphIndex> open{graph};
  while (!open.empty()) {
    const GraphIndex at = open.back();
    if (state_[at] == done) {
      open.pop_back();
    } else if (state_[at] == fresh) {
      state_[at] = entered;
      for_each_body(model_.graphs[at], [&](GraphIndex body) {
        if (state_[body] == fresh) open.push_back(body);
      });
    } else {
      counts_[at] = model_.graphs[at].nodes.size();
      for_each_body(model_.graphs[at],
                    [&](GraphIndex body) { counts_[at] = std::min(counts_[at] + counts_[body], counted_nodes); });
      state_[at] = done;
      open.pop_back();
    }
  }
  return counts_[graph];
}

std::string count_text(std::size_t nodes) {
  if (nodes >= counted_nodes) return fmt::format("more than {} nodes", counted_nodes - 1);
  return fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s");
}

}  // namespace ifcert::drawing
