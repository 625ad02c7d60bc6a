// Names for the values of a model that is written: the slot's own name where it does not clash with a visible one.
#pragma once

#include <ifcert/graph.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ifcert::onnx {

/// Visits the graphs in a reader's order: a name is visible from its definition to the end of its graph, in nested
/// graphs too.
class ValueNames {
 public:
  explicit ValueNames(const Model& model);

  /// Enters a graph; captured values get the names that they have in the graph around it. No outer name is visible in a
  /// function, so enter one only while no other graph is entered.
  void enter(const Graph& graph, const std::vector<Capture>& captures = {});

  /// Leaves the innermost graph; its names are no longer visible.
  void leave();

  /// Names a slot of the innermost graph, unless it has a name already.
  const std::string& define(Slot slot);

  /// The name of a slot of the innermost graph; empty where it is not defined yet.
  const std::string& of(Slot slot) const { return *scopes_.back().names[slot]; }

 private:
  struct Scope {
    const Graph* graph;
    std::vector<const std::string*> names;  // by slot; those of captured values belong to outer scopes
    std::vector<Slot> defined;
  };

  std::string fresh(const std::string& name);
  bool is_free(const std::string& name, Slot slot) const;

  const Graph& main_;
  std::unordered_map<std::string, Slot> outputs_;  // of the main graph: only its inputs may use these names
  std::vector<Scope> scopes_;
  std::unordered_set<std::string> visible_;  // its strings stay where they are
  std::unordered_set<std::string> taken_;    // every name of a slot, and every generated name
  std::unordered_map<std::string, std::size_t> made_;
};

}  // namespace ifcert::onnx
