// The walk from ONNX's graph form to one whose bodies are closed, the same for both targets: constants, nodes in order,
// outputs under their names. Identity and Constant leave no operation. The model has no functions
// (inline_functions.hpp).
#pragma once

#include <string>
#include <vector>

#include "translate/translators.hpp"

namespace ifcert::translation {

class FromOnnx {
 public:
  FromOnnx(const FromOnnx&) = delete;
  FromOnnx& operator=(const FromOnnx&) = delete;
  virtual ~FromOnnx() = default;

  Model translate();

 protected:
  FromOnnx(const Model& from, Format format, std::int64_t ir_version);

  /// The type that a value of the old graph has in the new one; refuses what has none there.
  virtual Type type_of_slot(GraphIndex index, Slot slot, const Place& place) const = 0;

  /// A node that is neither If nor without an operation.
  virtual void translate_operator(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) = 0;

  virtual void translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) = 0;

  /// An operation that gives the same value in another slot.
  virtual Slot copy_of(Slot slot, Graph& to, const Place& place) const = 0;

  /// Room for a graph that is made, which has its index from here on.
  virtual GraphIndex reserve(const std::string& name, Graph& graph);

  /// All but inputs and outputs, which are not those of a body.
  void translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place);

  void define(GraphIndex index, Slot slot, Graph& to, Scope& scope, const Place& place) const;

  /// The slot of a result; what nobody wants is a value all the same.
  Slot result(GraphIndex index, Slot slot, const Type& otherwise, Graph& to, Scope& scope, const Place& place) const;

  /// The results of an If whose bodies are made, and the If itself.
  void add_if(GraphIndex index, const Node& node, Node made, Graph& to, Scope& scope, const Place& place) const;

  /// A type without the names of dims.
  Type known_type(GraphIndex index, Slot slot) const;

  const Model& from_;
  Model to_;
  mutable Growth growth_;

 private:
  void translate_node(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  void give_outputs(Graph& to, const Scope& scope, const Place& place) const;

  std::vector<std::vector<Type>> types_;
};

}  // namespace ifcert::translation
