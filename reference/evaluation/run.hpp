// One run of a prepared model: nodes are evaluated in order, and each evaluation of a body has a frame of its own.
// evaluate.cpp evaluates graphs, operators and calls; if/evaluate_if.cpp If, and how any node enters a body; trips.cpp
// and scan.cpp loops, which enter a body once per trip. accounting.cpp counts work and memory; program.cpp prepares a
// model.
#pragma once

#include <cstdint>
#include <ifcert/evaluate.hpp>
#include <ifcert/trip_types.hpp>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "evaluation/charges.hpp"
#include "evaluation/plan.hpp"
#include "limits/meter.hpp"
#include "limits/work.hpp"
#include "model/function_attributes.hpp"
#include "model/node_place.hpp"
#include "model/place.hpp"
#include "operators/operator.hpp"

namespace ifcert {

struct ScanForm;

/// A model that is ready to run.
struct Prepared {
  Model model;
  CustomOperators operators;
  Delegate delegate;
  Plans plans;
  std::vector<std::vector<Constant>> folded;    // folded[graph]: the results of folded nodes
  TripTypes trip_types;                         // for the results of loops that make no trip
  std::vector<const Function*> functions;       // functions[graph]; nullptr for a graph that is not a function's
  std::unordered_set<const Tensor*> constants;  // all tensors that the model holds, if there is a delegate
};

using Frame = std::vector<Value>;

/// The call whose function is being evaluated. FunctionCall::scope is the frame of the graph that contains the call
/// node.
using Call = FunctionCall<Frame*>;

/// Fails unless every tensor in a value from outside has as many bytes as its shape needs.
void expect_bytes_fit(const Place& place, const Value& value);

/// The value of the node's i-th operand; an operand that is left out is an empty value.
const Value& operand(const Node& node, std::size_t i, const Frame& frame);

/// One run of a prepared model, with its observer and its limits.
class Run {
 public:
  Run(const Prepared& prepared, const BranchObserver& observer, const RunLimits& limits)
      : prepared_(prepared), observer_(observer), meter_(limits) {}

  std::vector<Value> evaluate(GraphIndex graph, Frame frame, const Call* call, const Place& place);

 private:
  /// The node that is being evaluated.
  struct NodeContext {
    GraphIndex graph;
    std::size_t node;    // its number in the graph
    Frame& frame;        // the values of the graph's slots
    const Call* call;    // the call of the function that contains the node; nullptr outside functions
    const Place& place;  // for messages
  };

  /// The values of one output from all trips (or batches) so far, and the charge for them (charges.hpp).
  struct Collected {
    std::vector<Value> values;
    Charge charge = {};
  };

  void evaluate_node(const NodeContext& at);
  void spend_frame(const Frame& frame, const Place& place);
  void spend_node(const Place& place);
  void count_operands(std::span<const Value> operands, std::uint64_t cost, const Place& place);
  void settle(const NodeContext& at, SequenceCharges& sequences);
  void make_dense(const std::vector<Slot>& slots, Frame& frame, const Place& place);
  void evaluate_kernel(const NodeContext& at, const Node& node);
  void evaluate_custom(const NodeContext& at, const Node& node);
  void evaluate_delegated(const NodeContext& at, const Node& node);
  void evaluate_kernel_or_delegate(const NodeContext& at, const Node& node);
  Value charged(const Value& value);
  void evaluate_if(const NodeContext& at, const Node& node);
  bool truth_of(const Value& value, const Place& place) const;
  void evaluate_loop(const NodeContext& at, const Node& node);
  void evaluate_while(const NodeContext& at, const Node& node);
  void evaluate_scan(const NodeContext& at, const Node& node);
  std::vector<Value> scan_batches(const NodeContext& at, const Node& node, const ScanForm& form,
                                  std::span<const Value> operands);
  std::vector<Value> scan(const NodeContext& at, const Node& node, const ScanForm& form,
                          std::span<const Value> operands, std::optional<std::int64_t> length);
  void evaluate_sequence_map(const NodeContext& at, const Node& node);
  void collect(const NodeContext& at, std::span<Value> results, std::vector<Collected>& outputs);
  void evaluate_call(const NodeContext& at, const Node& node);
  const Node& node_of(const NodeContext& at) const { return prepared_.model.graphs[at.graph].nodes[at.node]; }
  static TripTypes::NodeInCall site_of(const NodeContext& at) {
    return {at.call == nullptr ? 0 : at.call->number, at.graph, at.node};
  }
  const Graph& graph_of(const Body& body) const { return prepared_.model.graphs[body.graph]; }
  /// The node, the attributes of the enclosing call and the work, for a kernel. `inputs` are left out for kernel
  /// functions that take their tensors as separate parameters.
  kernels::Operands kernel_context(const NodeContext& at, const Node& node, std::span<const Value> inputs = {},
                                   std::uint64_t cost = 1) {
    return {node, inputs, attributes_of(at.call), Work(meter_, cost)};
  }
  std::vector<Value> enter(const NodeContext& at, const Body& body, std::span<const Value> inputs,
                           std::optional<std::int64_t> trip = std::nullopt);
  void set_outputs(const NodeContext& at, const Node& node, std::span<Value> results,
                   std::string_view source = "the body") const;

  const Prepared& prepared_;
  const BranchObserver& observer_;
  Meter meter_;
  std::unordered_map<const SparseTensor*, Value> dense_;
  std::size_t depth_ = 0;
};

}  // namespace ifcert
