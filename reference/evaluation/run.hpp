// One run of a prepared model: nodes are evaluated in order, and each body gets a frame of its own. If and calls, which
// enter a body once, are in evaluate.cpp; loops, which enter it once per trip, in trips.cpp; the preparation of a model
// in program.cpp.
#pragma once

#include <cstdint>
#include <ifcert/evaluate.hpp>
#include <ifcert/trip_types.hpp>
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
struct Step {
  enum class Kind : std::uint8_t { kernel, custom, if_, loop, while_, scan, sequence_map, call, folded };
  Kind kind = Kind::kernel;
  const kernels::Operator* op = nullptr;   // of a kernel
  const CustomOperator* custom = nullptr;  // the caller's
  std::vector<Slot> last_read = {};        // values of other nodes that nothing reads after this one
};

struct ScanForm;

/// A model ready to be run.
struct Prepared {
  Model model;
  CustomOperators operators;
  std::vector<std::vector<Step>> steps;       // steps[graph][node]
  std::vector<std::vector<Constant>> folded;  // folded[graph]: the results of folded nodes
  TripTypes trips;                            // for the empty results of loops that make no trip
  std::vector<const Function*> functions;     // functions[graph]; nullptr for a graph that is not a function's
};

using Frame = std::vector<Value>;

using Call = FunctionCall<Frame*>;

/// Throws EvaluationError. `missing` names the operator that the reference does not have.
[[noreturn]] void fail(const Place& place, std::string_view message, std::string missing = {});

/// Throws an exception of the same kind, with the place in its message.
[[noreturn]] void fail(const Place& place, const LimitExceeded& error);
[[noreturn]] void fail(const Place& place, const std::bad_alloc& error);

/// Returns the result of the job. If it throws EvaluationError, LimitExceeded, length_error or bad_alloc, the place is
/// added to the message; other exceptions pass through.
template <class Job>
auto with_place(const Place& place, Job job) {
  try {
    return job();
  } catch (const LimitExceeded& error) {
    fail(place, error);
  } catch (const EvaluationError& error) {
    fail(place, error.what());
  } catch (const std::length_error& error) {
    fail(place, error.what());
  } catch (const std::bad_alloc& error) {
    fail(place, error);
  }
}

/// The value of the node's i-th operand; an empty value where the operand is left out.
const Value& operand(const Node& node, std::size_t i, const Frame& frame);

/// One run of a prepared model, with its observer and its limits.
class Run {
 public:
  Run(const Prepared& prepared, const BranchObserver& observer, const RunLimits& limits)
      : prepared_(prepared), observer_(observer), meter_(limits) {}

  std::vector<Value> evaluate(GraphIndex graph, Frame frame, const Call* call, const Place& place);

 private:
  /// The node being evaluated: its graph and number, the values of that graph, the function call that it is part of
  /// (nullptr in the main graph), and its place for messages.
  struct At {
    GraphIndex graph;
    std::size_t node;
    Frame& frame;
    const Call* call;
    const Place& place;
  };

  /// The values of one output from all trips so far, and the memory that they take.
  struct Collected {
    std::vector<Value> values;
    Charge charge = {};
  };

  void evaluate_node(const At& at);
  void spend_node(const Place& place);
  void evaluate_kernel(const At& at, const Node& node);
  void evaluate_custom(const At& at, const Node& node);
  void evaluate_if(const At& at, const Node& node);
  bool truth_of(const Value& value, const Place& place) const;
  void evaluate_loop(const At& at, const Node& node);
  void evaluate_while(const At& at, const Node& node);
  void evaluate_scan(const At& at, const Node& node);
  std::vector<Value> scan_batches(const At& at, const Node& node, const ScanForm& form,
                                  std::span<const Value> operands);
  std::vector<Value> scan(const At& at, const Node& node, const ScanForm& form, std::span<const Value> operands,
                          std::optional<std::int64_t> length);
  void evaluate_sequence_map(const At& at, const Node& node);
  void collect(const At& at, std::span<Value> results, std::vector<Collected>& outputs);
  void evaluate_call(const At& at, const Node& node);
  const Node& node_of(const At& at) const { return prepared_.model.graphs[at.graph].nodes[at.node]; }
  static TripTypes::Site site_of(const At& at) { return {at.call == nullptr ? 0 : at.call->number, at.graph, at.node}; }
  const Graph& graph_of(const Body& body) const { return prepared_.model.graphs[body.graph]; }
  kernels::Operands kernel_context(const At& at, const Node& node) {
    return {node, {}, attributes_of(at.call), &meter_};
  }
  std::vector<Value> enter(const At& at, const Body& body, std::span<const Value> inputs,
                           std::optional<std::int64_t> trip = std::nullopt);
  void set_outputs(const At& at, const Node& node, std::span<Value> results) const;
  void charge_sequences(const Node& node, const Frame& frame, const Place& place, Charge& charge);

  const Prepared& prepared_;
  const BranchObserver& observer_;
  Meter meter_;
  std::size_t depth_ = 0;
};

}  // namespace ifcert
