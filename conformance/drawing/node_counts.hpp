// The number of nodes of a graph, including those of its bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ifcert/graph.hpp>
#include <string>
#include <vector>

namespace ifcert::drawing {

/// The number of nodes of each graph, including those of its bodies. Calls are not followed.
class NodeCounts {
 public:
  explicit NodeCounts(const Model& model) : model_(model), counts_(model.graphs.size()), state_(model.graphs.size()) {}

  /// At most a billion, because the counts of bodies that share graphs multiply.
  std::size_t of(GraphIndex graph);

 private:
  enum State : std::uint8_t { fresh, entered, done };

  const Model& model_;
  std::vector<std::size_t> counts_;
  std::vector<State> state_;
};

/// "1 node", "12 nodes", "more than 999999999 nodes".
std::string count_text(std::size_t nodes);

}  // namespace ifcert::drawing
