// Where a file makes its names: for each name, the first graph that makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/onnx/proto.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {

/// Refers to the messages, and to the strings of the places, that it was built from.
class MadeNames {
 public:
  /// Which names of a graph count: those of initializers and outputs of nodes, or formal inputs too.
  enum class Counted : std::uint8_t { without_inputs, with_inputs };

  /// The names that bodies below these nodes make, at any depth; not those of the nodes themselves.
  static MadeNames inside(const proto::List<proto::Node>& nodes, const Place& place);

  /// The names that any graph of the file makes.
  static MadeNames anywhere(const proto::Model& file);

  /// The place of the graph that makes the name; nullopt where none does.
  std::optional<std::string> find(std::string_view name) const;

 private:
  /// A graph of the file. A body is reached through a node of an outer graph.
  struct GraphAt {
    std::size_t outer;  // the number of the graph around it; its own for one that no graph is around
    Place node;         // of the outer graph
    Place own;
  };

  void add_outermost(const Place& place);
  void add_bodies(const proto::List<proto::Node>& nodes, std::size_t outer, Counted counted);
  void add_graph(const proto::Graph& graph, std::size_t number, Counted counted);
  void add_function(const proto::Function& function);
  void add(std::string_view name, std::size_t graph) { graph_of_.try_emplace(name, graph); }
  void add_outputs(const proto::List<proto::Node>& nodes, std::size_t graph);
  std::string text_of(std::size_t graph) const;

  std::vector<GraphAt> graphs_;
  std::unordered_map<std::string_view, std::size_t> graph_of_;
};

}  // namespace ifcert::onnx
