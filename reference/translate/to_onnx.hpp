// The walk to ONNX's graph form, the same from both formats: constants, operations in order, branches that capture what
// their bodies are handed. What a graph only hands on goes through an Identity, since ONNX does not say that a graph
// may give what it is given.
#pragma once

#include <string>
#include <vector>

#include "translate/onnx_release.hpp"
#include "translate/translators.hpp"

namespace ifcert::translation {

class ToOnnx {
 public:
  ToOnnx(const ToOnnx&) = delete;
  ToOnnx& operator=(const ToOnnx&) = delete;
  virtual ~ToOnnx() = default;

  Model translate();

 protected:
  using Types = std::vector<std::vector<Type>>;

  ToOnnx(const Model& from, Types types, Release release);

  /// An operation that is not If.
  virtual void translate_operation(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place) = 0;

  /// All but inputs and outputs.
  virtual void translate_graph(GraphIndex index, Graph& to, Scope& scope, const Place& place);

  /// What the body gives, its operations being in `to`; the scope has what stands for the inputs of its graph.
  std::vector<Site::Known> inlined(const Body& body, Scope scope, Graph& to, const Place& place);

  /// The values as outputs of a graph: what no node of it makes, and what was given already, goes through an Identity.
  void give(Graph& to, const std::vector<Site::Known>& values) const;

  void define(GraphIndex index, Slot slot, Graph& to, Scope& scope) const;
  std::vector<Slot> results_of(GraphIndex index, const Node& node, Graph& to, Scope& scope) const;
  Node node_named(const std::string& op) const;

  const Model& from_;
  const Types types_;
  Model to_;
  const int opset_;
  Growth growth_;

 private:
  void translate_if(GraphIndex index, const Node& node, Graph& to, Scope& scope, const Place& place);
  Body translate_branch(const Body& body, const std::string& role, const Scope& scope, const Place& place);
  void give_main_outputs(Graph& to, const Scope& scope) const;
  Slot identity(Graph& to, Slot slot) const;
};

}  // namespace ifcert::translation
