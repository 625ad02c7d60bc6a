// The translation to ONNX's graph form that both formats share: constants, operations in order, and branches that
// capture the inputs of their bodies. A value that a graph only passes on gets an Identity, since ONNX does not state
// that a graph may return a value that it does not compute.
#pragma once

#include <string>
#include <vector>

#include "convert/onnx_release.hpp"
#include "convert/translators.hpp"

namespace ifcert::translation {

class ToOnnx {
 public:
  ToOnnx(const ToOnnx&) = delete;
  ToOnnx& operator=(const ToOnnx&) = delete;
  virtual ~ToOnnx() = default;

  Model translate();

 protected:
  ToOnnx(const Model& from, const SlotTypes& types, Release release);

  /// Translates an operation that is not an If.
  virtual void translate_operation(const Translated& graph, const Node& node, const Place& place) = 0;

  /// Translates everything but inputs and outputs.
  virtual void translate_graph(const Translated& graph, const Place& place);

  /// Translates the operations of a body into `to` and returns its outputs; the scope has the values of its graph's
  /// inputs.
  std::vector<TranslationSite::Facts> inlined(const Body& body, Scope scope, Graph& to, const Place& place);

  /// Makes the values outputs of a graph: a value that no node of the graph computes, or that is an output already,
  /// gets an Identity.
  void add_outputs(Graph& to, const std::vector<TranslationSite::Facts>& values) const;

  void define(const Translated& graph, Slot slot) const;
  std::vector<Slot> results_of(const Translated& graph, const Node& node) const;
  Node node_named(const std::string& op) const;

  const Model& from_;
  const SlotTypes& types_;
  Model to_;
  const int opset_;
  Growth growth_;

 private:
  void translate_if(const Translated& graph, const Node& node, const Place& place);
  Body translate_branch(const Body& body, const std::string& role, const Scope& scope, const Place& place);
  void add_main_outputs(Graph& to, const Scope& scope) const;
  Slot identity(Graph& to, Slot slot) const;
};

}  // namespace ifcert::translation
