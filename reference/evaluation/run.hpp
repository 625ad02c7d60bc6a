// One run of a prepared model: nodes are evaluated in order, and each evaluation of a body has a frame of its own.
// evaluate.cpp evaluates If and calls, which enter a body once; trips.cpp evaluates loops, which enter a body once per
// trip; program.cpp prepares a model.
#pragma once

#include <cstdint>
#include <ifcert/evaluate.hpp>
#include <ifcert/trip_types.hpp>
#include <map>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "function_attributes.hpp"
#include "kernels/operator.hpp"
#include "meter.hpp"
#include "node_place.hpp"
#include "place.hpp"

namespace ifcert {

/// How a node is evaluated.
struct NodePlan {
  enum class Kind : std::uint8_t { kernel, custom, if_, loop, while_, scan, sequence_map, call, folded };
  Kind kind = Kind::kernel;
  const kernels::Operator* op = nullptr;   // if kind is kernel; kept, but not used, if the node is folded
  const CustomOperator* custom = nullptr;  // if kind is custom
  // Slots that can be emptied after this node, which is the last to read them: outputs of earlier nodes that are not
  // outputs of the graph.
  std::vector<Slot> last_read = {};
};

struct ScanForm;

/// A model that is ready to run.
struct Prepared {
  Model model;
  CustomOperators operators;
  std::vector<std::vector<NodePlan>> plans;   // plans[graph][node]
  std::vector<std::vector<Constant>> folded;  // folded[graph]: the results of folded nodes
  TripTypes trip_types;                       // for the results of loops that make no trip
  std::vector<const Function*> functions;     // functions[graph]; nullptr for a graph that is not a function's
};

using Frame = std::vector<Value>;

/// The call whose function is being evaluated. FunctionCall::scope is the frame of the graph that contains the call
/// node.
using Call = FunctionCall<Frame*>;

/// Throws EvaluationError. `missing` is what the reference lacks, if that is the reason: the name of an operator, or a
/// feature such as "sparse_initializer".
[[noreturn]] void fail(const Place& place, std::string_view message, std::string missing = {});

/// Throws LimitExceeded or OutOfMemory, with the place in the message.
[[noreturn]] void fail(const Place& place, const LimitExceeded& error);
[[noreturn]] void fail(const Place& place, const std::bad_alloc& error);

/// Returns the result of the job. Adds the place to the message of an EvaluationError or LimitExceeded; turns a
/// length_error into an EvaluationError and a bad_alloc into OutOfMemory, with the place. Other exceptions pass
/// through.
template <class Job>
auto with_place(const Place& place, Job job) {
  try {
    return job();
  } catch (const LimitExceeded& error) {
    fail(place, error);
  } catch (const EvaluationError& error) {
    fail(place, error.what(), error.missing_operator);
  } catch (const std::length_error& error) {
    fail(place, error.what());
  } catch (const std::bad_alloc& error) {
    fail(place, error);
  }
}

/// The part of a value's memory that kernels leave uncharged: a fixed overhead for any value, plus its bytes if it is a
/// small result (kernels/result.hpp).
std::uint64_t uncharged_by_kernels(const Value& value);

/// Fails unless every tensor in a value from outside has as many bytes as its shape needs.
void expect_bytes_fit(const Place& place, const Value& value);

/// The value of the node's i-th operand; an operand that is left out is an empty value.
const Value& operand(const Node& node, std::size_t i, const Frame& frame);

/// By slot of a frame: the charge for the item list of the sequence in that slot.
using SequenceCharges = std::map<Slot, Charge>;

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

  /// The values of one output from all trips (or batches) so far, and the charge for what kernels did not charge.
  struct Collected {
    std::vector<Value> values;
    Charge charge = {};
  };

  void evaluate_node(const NodeContext& at);
  void spend_node(const Place& place);
  void evaluate_kernel(const NodeContext& at, const Node& node);
  void evaluate_custom(const NodeContext& at, const Node& node);
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
  static TripTypes::Site site_of(const NodeContext& at) {
    return {at.call == nullptr ? 0 : at.call->number, at.graph, at.node};
  }
  const Graph& graph_of(const Body& body) const { return prepared_.model.graphs[body.graph]; }
  /// A kernels::Operands that has the node, the attributes of the enclosing call and the meter, but no inputs: for
  /// kernel functions that take their tensors as separate parameters.
  kernels::Operands kernel_context(const NodeContext& at, const Node& node) {
    return {node, {}, attributes_of(at.call), &meter_};
  }
  std::vector<Value> enter(const NodeContext& at, const Body& body, std::span<const Value> inputs,
                           std::optional<std::int64_t> trip = std::nullopt);
  /// Fails unless there is one value for each output. `source`, for messages, is what returned them.
  void set_outputs(const NodeContext& at, const Node& node, std::span<Value> results,
                   std::string_view source = "the body") const;
  void charge_sequences(const Node& node, const Frame& frame, const Place& place, SequenceCharges& charges);

  const Prepared& prepared_;
  const BranchObserver& observer_;
  Meter meter_;
  std::size_t depth_ = 0;
};

}  // namespace ifcert
