// Names for the values of a model that is written: a slot's own where the names in force at that point allow it.
#pragma once

#include <ifcert/graph.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ifcert::onnx {

/// Goes through the graphs as a reader does: a name is visible from its definition to the end of its graph, in nested
/// graphs too.
class ValueNames {
 public:
  explicit ValueNames(const Model& model);

  /// Enters a graph; captured values take the names that they have in the graph around it. What a function captures
  /// there is nothing, and nothing is visible in it: enter it where no other graph is entered.
  void enter(const Graph& graph, const std::vector<Capture>& captures = {});

  /// Leaves the innermost graph; its names are visible no more.
  void leave();

  /// Gives a slot of the innermost graph the name it has from now on; one that has a name already keeps it.
  const std::string& define(Slot slot);

  /// The name of a slot of the innermost graph; empty where it is not defined yet.
  const std::string& of(Slot slot) const { return scopes_.back().names[slot]; }

 private:
  struct Scope {
    const Graph* graph;
    std::vector<std::string> names;  // by slot
    std::vector<Slot> defined;
  };

  std::string fresh(const std::string& name);
  bool is_free(const std::string& name, Slot slot) const;

  const Graph& main_;
  std::unordered_map<std::string, Slot> outputs_;  // of the main graph: only its inputs take their names from them
  std::vector<Scope> scopes_;
  std::unordered_set<std::string> visible_;
  std::unordered_set<std::string> taken_;  // every name of a slot, and those made up
  std::unordered_map<std::string, std::size_t> made_;
};

}  // namespace ifcert::onnx
