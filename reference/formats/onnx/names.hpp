// The names in force at a point of the file: a scoped table from name to slot, as the IR document's scoping says.
// Captures come into being here: a name found in an outer scope becomes a slot of every graph on the way in.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

class Names {
 public:
  explicit Names(Model& model) : model_(model) {}

  /// What a name stands for where a new definition of it is about to be made.
  enum class Visible : std::uint8_t { no, in_this_graph, outside };

  /// Enters a graph; names of the graphs around it stay visible.
  void enter(GraphIndex graph);

  /// Leaves the innermost graph; its names are forgotten. Returns what it captured of the graph around it.
  std::vector<Capture> leave();

  /// The declared types of the innermost graph's values, by name; used by the slots made from now on.
  void declare_type(std::string_view name, Type type);

  Visible visible(std::string_view name) const;

  /// A new slot of the innermost graph under that name, hiding what the name stood for.
  Slot define(std::string_view name);

  /// The slot of the innermost graph that the name stands for, captured through every graph on the way; nullopt where
  /// the name is not visible. Throws std::length_error where captures would make more slots than a model may have.
  std::optional<Slot> resolve(std::string_view name);

 private:
  struct Entry {
    std::size_t depth;
    Slot slot;
    bool captured;
  };
  struct Scope {
    GraphIndex graph;
    std::vector<std::string_view> names;
    std::vector<Capture> captures;
    std::unordered_map<std::string_view, Type> declared;
  };

  Slot add(std::size_t depth, std::string_view name, bool captured);

  Model& model_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::vector<Entry>> entries_;
  std::size_t slots_ = 0;
};

}  // namespace ifcert::onnx
