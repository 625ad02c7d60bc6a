// The names in force at a point of the file: a scoped table from name to slot, as the IR document's scoping says.
// Captures come into being here: a name found in an outer scope becomes a slot of every graph on the way in.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "budget.hpp"
#include "formats/onnx/proto.hpp"
#include "place.hpp"

namespace ifcert::onnx {

/// Throws UnreadableModel, with the place given, where a budget is spent.
class Names {
 public:
  explicit Names(Model& model) : model_(model) {}

  /// What a name stands for where a new definition of it is about to be made.
  enum class Visible : std::uint8_t { no, in_this_graph, outside };

  /// Enters a graph; names of the graphs around it stay visible.
  void enter(GraphIndex graph);

  /// Leaves the innermost graph; its names are forgotten. Returns what it captured of the graph around it.
  std::vector<Capture> leave();

  /// Declares the type of one of the innermost graph's values, for the slots made from now on. A second declaration
  /// adds nothing; returns the first where there is one.
  const Type* declare_type(std::string_view name, Type type);

  Visible visible(std::string_view name) const;

  /// A new slot of the innermost graph under that name, hiding what the name stood for.
  Slot define(std::string_view name, const Place& place);

  /// The slot of the innermost graph that the name stands for, captured through every graph on the way; nullopt where
  /// the name is not visible.
  std::optional<Slot> resolve(std::string_view name, const Place& place);

 private:
  /// What a name stands for in one graph.
  struct Entry {
    std::size_t depth;
    Slot slot;
    bool captured;
    std::size_t hidden;  // the entry that the name had before, as in Innermost
  };
  /// The number of a name's innermost entry, counted from 1; 0 for none.
  using Innermost = std::size_t;
  struct Scope {
    GraphIndex graph;
    std::vector<Innermost*> names;  // those with an entry of this graph, in the order of the entries
    std::vector<Capture> captures;
    std::unordered_map<std::string_view, Type> declared;
  };

  const Entry* find(std::string_view name) const;
  Slot add(std::size_t depth, std::string_view name, bool captured, const Place& place);

  Model& model_;
  std::vector<Scope> scopes_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, Innermost> innermost_;
  // A small file can ask for much: every name it captures is a slot in each of up to a thousand graphs, and every slot
  // has its own copy of its name and type.
  Budget slots_{"values, counting each capture"};
  Budget names_{"bytes in the names of captured values", 64 * budget_limit};
  Budget types_{"dimensions and item types of declared types"};
};

}  // namespace ifcert::onnx
