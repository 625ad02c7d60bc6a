// The walk that infers types: it visits the nodes of each graph in order, and enters each body with the types of its
// captures and inputs. inference.cpp infers graphs, calls and operators; if/infer_if.cpp infers Ifs, and loops.cpp
// loops.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/inference/inference_budget.hpp"
#include "check/inference/inferred.hpp"
#include "check/inference/inferred_if_site.hpp"
#include "model/findings.hpp"
#include "model/function_attributes.hpp"
#include "model/node_kind.hpp"
#include "model/place.hpp"
#include "model/type_union.hpp"
#include "operators/operator.hpp"

namespace ifcert::inference {

using Call = FunctionCall<GraphIndex>;

/// Takes the place of a call number where trip types are not recorded: in a function that is inferred on its own, and
/// in every call of a model without loops. It is never stored in TripTypes.
inline constexpr CallNumber unrecorded = std::numeric_limits<CallNumber>::max();

/// One walk over a model.
class Inference {
 public:
  Inference(const Model& model, Findings& findings, const VisitIf& visit)
      : model_(model),
        findings_(findings),
        visit_(visit),
        has_loops_(has_loops(model)),
        functions_(functions_by_graph(model)),
        was_entered_(model.graphs.size()) {
    for (const Graph& graph : model.graphs) {
      types_.emplace_back(graph.slots.size());
      known_values_.emplace_back(graph.slots.size());
    }
  }

  Inferred run();

 private:
  void infer_graph(GraphIndex index, const Place& place);
  void infer_node(GraphIndex index, std::size_t node_index, const Place& place);
  void infer_outputs(NodeKind kind, GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void expect_one_graph(const Body& branch, const Place& place);
  void infer_if(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_loop(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_scan(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_scan_of_batches(GraphIndex index, const Node& node, const Place& place);
  void infer_sequence_map(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  std::vector<Type> enter_with(GraphIndex index, const Node& node, const Body& body, std::span<const Type> inputs,
                               const Place& place, bool always_entered);
  void clear_types(GraphIndex index);
  void enter_function(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void infer_call(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  void spend_attributes(const Node& node, const Place& place);
  Value value_of_constant(const Node& node, const kernels::Operator& op, const Place& place);
  void report_misfit(const Place& place, const std::string& found);
  void infer_operator(GraphIndex index, const Node& node, std::span<Type> outputs, const Place& place);
  std::optional<std::vector<Type>> enter(GraphIndex outer, const Body& body, const Place& place,
                                         bool always_entered = false);
  std::optional<bool> known_truth(GraphIndex index, const Node& node, std::size_t i) const;
  bool certainly_makes_a_trip(GraphIndex index, const Node& node) const;
  bool has_unresolved_attribute(const Node& node) const;
  void check_declared(std::string_view source, std::string_view verb, const Type& declared, const Type& inferred,
                      const Place& place);
  void set(GraphIndex index, Slot slot, Type type);
  const Type& input(GraphIndex index, const Node& node, std::size_t i) const {
    static const Type left_out;
    return i < node.inputs.size() && node.inputs[i] != no_slot ? types_[index][node.inputs[i]] : left_out;
  }
  void report(std::string_view rule, const Place& place, const std::string& found, const std::string& expected) {
    findings_.report(rule, place, found, expected);
  }
  /// The rule's name in the model's format.
  std::string_view rule_of(std::string_view onnx, std::string_view openvino) const {
    return model_.format == Format::openvino ? openvino : onnx;
  }
  std::string_view operands_fit_rule() const;
  std::string_view shapes_fit_rule() const;
  std::string_view declared_type_agrees_rule() const;
  CallNumber current_call_number() const { return call_ == nullptr ? 0 : call_->number; }
  CallNumber assign_call_number(GraphIndex index, const Node& node);
  void record_trip_types(GraphIndex index, std::size_t node_index, const Place& place);
  bool has_one_body(const Node& node, const Place& place);
  const Graph* body_graph(GraphIndex index, const Node& node) const;
  void expect_body_size(const Node& node, const Graph& body, std::size_t inputs, std::size_t outputs,
                        const Place& place);
  void expect_single(const Type& type, ElementType element, std::string_view what, const Place& place);
  bool may_be_stacked(const Node& node, const Type& result, const Place& place);
  void check_loop(GraphIndex index, const Node& node, const Graph& body, const Place& place);
  void check_initial_shapes(GraphIndex index, const Node& node, const Graph& body, const Place& place);
  /// Reports that operands, attributes or bodies do not fit the operator.
  void report_operands(const Place& place, const std::string& found);

  const Model& model_;
  Findings& findings_;
  const VisitIf& visit_;
  const bool has_loops_;  // only a model with loops needs call numbers
  TripTypes trip_types_;
  std::vector<const Function*> functions_;
  std::vector<std::vector<Type>> types_;
  std::vector<std::vector<Value>> known_values_;  // [graph][slot]; empty unless the value is the same in every run
  // The tensors of Constants that use value_int, value_strings and the like instead of `value`. The key is a pair: the
  // address of the attribute's value, and the name under which the Constant uses it ("value_int").
  std::map<std::pair<const AttributeValue*, std::string_view>, Value> constant_cache_;
  std::vector<const Type*> operand_types_;  // of the current node, like operand_values_
  std::vector<Value> operand_values_;
  const Call* call_ = nullptr;
  bool always_runs_ = true;  // every run of the model enters the current graph
  InferenceBudget budget_{model_.format};
  std::vector<bool> was_entered_;        // by graph; for one that a call passes: since that call
  std::vector<GraphIndex> open_graphs_;  // those whose inference has begun and not ended; the outermost is first
};

}  // namespace ifcert::inference
