// The translation from ONNX's graph form that both targets share: constants, nodes in order, outputs with their names.
// Identity and Constant do not become operations. The model has no functions (inline_functions.hpp).
#pragma once

#include <string>
#include <vector>

#include "convert/translators.hpp"
#include "formats/written_limits.hpp"

namespace ifcert::translation {

class FromOnnx {
 public:
  FromOnnx(const FromOnnx&) = delete;
  FromOnnx& operator=(const FromOnnx&) = delete;
  virtual ~FromOnnx() = default;

  Model translate();

 protected:
  FromOnnx(const Model& from, const SlotTypes& types, Format format, std::int64_t ir_version);

  /// The type of a value of the old graph in the new one; refuses a type that does not exist there.
  virtual Type type_of_slot(GraphIndex index, Slot slot, const Place& place) const = 0;

  /// Translates a node that is not an If, Identity or Constant.
  virtual void translate_operator(const Translated& graph, const Node& node, const Place& place) = 0;

  virtual void translate_if(const Translated& graph, const Node& node, const Place& place) = 0;

  /// Adds an operation that copies a value to another slot.
  virtual Slot copy_of(Slot slot, Graph& to, const Place& place) const = 0;

  /// Reserves the index of a graph that is about to be built.
  virtual GraphIndex reserve(const std::string& name, Graph& graph);

  /// Translates everything but inputs and outputs, which bodies handle in their own way.
  void translate_graph(const Translated& graph, const Place& place);

  void define(const Translated& graph, Slot slot, const Place& place) const;

  /// The slot of a result, which exists even where the node leaves it out.
  Slot result(const Translated& graph, Slot slot, const Type& otherwise, const Place& place) const;

  /// Adds an If whose bodies are built, with its results.
  void add_if(const Translated& graph, const Node& node, Node made, const Place& place) const;

  /// A slot's type without symbolic dims.
  Type known_type(GraphIndex index, Slot slot) const;

  /// Defines a value that a body captures, in the graph of the body.
  void define_captured(const Translated& graph, Slot slot, const Place& place);

  const Model& from_;
  Model to_;
  mutable Growth growth_;
  mutable WrittenLimits limits_;  // those that the writer will meet, so that a translation ends before it is too large

 private:
  void translate_node(const Translated& graph, const Node& node, const Place& place);
  void add_main_outputs(Graph& to, const Scope& scope, const Place& place) const;

  const SlotTypes& types_;
};

}  // namespace ifcert::translation
