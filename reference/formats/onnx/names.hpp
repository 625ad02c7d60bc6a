// The names that are visible at a point of the file: a scoped table from name to slot, with the scoping of the IR
// document. It creates captures: a name found in an outer scope becomes a slot of every graph on the way in.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/onnx/proto.hpp"
#include "limits/budget.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {

/// What two declarations that agree say together: what one of them leaves open is taken from the other. (`float[N, 2]`
/// and `float[3, ?]` say `float[3, 2]`.)
Type completed(Type type, const Type& other);

/// Throws UnreadableModel, with the place, where a budget is exceeded.
class Names {
 public:
  /// For a file of so many bytes.
  Names(Model& model, std::size_t bytes);

  /// Where a name is visible from.
  enum class Visible : std::uint8_t { no, in_this_graph, outside };

  /// A new slot, and where its name was visible from before.
  struct Defined {
    Slot slot;
    Visible before;
  };

  /// Enters a graph; names of the graphs around it stay visible.
  void enter(GraphIndex graph);

  /// Leaves the innermost graph; its names are forgotten. Returns its captures.
  std::vector<Capture> leave();

  /// Declares the type of a value of the innermost graph, for slots made from now on. A further declaration adds what
  /// the earlier ones leave open; one that contradicts them has no effect. Returns the type so far if it does.
  const Type* declare_type(std::string_view name, const Type& type);

  /// A new slot of the innermost graph with that name, which hides an earlier one.
  Defined define(std::string_view name, const Place& place);

  /// The same for a name that is used but not visible, so that each such name is reported once. It stays invisible: a
  /// definition that follows is the first one.
  Slot define_missing(std::string_view name, const Place& place);

  /// The slot of that name in the innermost graph, captured through every graph on the way; nullopt where the name is
  /// neither defined nor noted by define_missing().
  std::optional<Slot> resolve(std::string_view name, const Place& place);

 private:
  // Two chains run through the entries. That of a name begins at its current entry, in the table, and leads outwards;
  // that of a graph begins at its latest. When a graph is left, its chain is followed, and each of its names is again
  // what it was outside.

  /// The number of an entry, counted from 1; 0 for none.
  using EntryNumber = std::size_t;
  /// The slot of a name in one graph: it was defined there, or captured from outside.
  struct Entry {
    std::size_t depth;
    Slot slot;
    bool captured;
    bool missing;          // used, but not visible
    EntryNumber hidden;    // the entry of the name that this one hides
    EntryNumber earlier;   // the entry of the graph that was made before this one
    EntryNumber& current;  // the name's place in the table
  };
  struct Scope {
    GraphIndex graph;
    EntryNumber last;  // the latest entry of the graph
    std::vector<Capture> captures;
    std::unordered_map<std::string_view, Type> declared;
  };

  /// From where a name with that entry is visible.
  Visible visible(EntryNumber number) const;

  /// Adds a slot to the graph of that depth, and its entry, which becomes the name's current one.
  Slot add(std::size_t depth, std::string_view name, EntryNumber& current, bool captured, const Place& place);

  Model& model_;
  std::vector<Scope> scopes_;  // the graphs that are entered, the outermost first
  std::vector<Entry> entries_;
  std::pmr::monotonic_buffer_resource memory_;  // for the table of names, which only grows
  std::pmr::unordered_map<std::string_view, EntryNumber> current_{&memory_};  // the entry that each name has here
  // A small file can multiply these: every captured name is a slot in each of up to a thousand graphs, and every slot
  // has its own copy of its name and type.
  Budget slot_budget_{"values, counting each capture"};
  Budget capture_budget_;
  Budget name_budget_;
  Budget type_budget_{"dimensions and item types of declared types"};
};

}  // namespace ifcert::onnx
