// One run of a prepared model: each node is evaluated in its order, each body on a frame of its own. If and what is
// entered once (evaluate.cpp), what is entered once a trip (trips.cpp), and the preparation (program.cpp).
#pragma once

#include <cstdint>
#include <ifcert/evaluate.hpp>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "function_attributes.hpp"
#include "inference/trip_types.hpp"
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
};

struct ScanForm;

/// A model ready to be run.
struct Prepared {
  Model model;
  CustomOperators operators;
  std::vector<std::vector<Step>> steps;       // steps[graph][node]
  std::vector<std::vector<Constant>> folded;  // folded[graph]: what folded nodes would give
  TripTypes trips;                            // for a body that is never entered
  std::vector<const Function*> functions;     // by the number of their graph
};

using Frame = std::vector<Value>;

/// What a function's nodes may refer to: the attributes and the graphs that its call gives, and the values around the
/// call.
struct Given {
  GivenAttributes attributes;
  GivenBodies bodies;
  Frame* frame;
  const Given* outer;
  CallNumber number;
};

/// The attributes that a call gives to the nodes of its function; null outside of functions.
const GivenAttributes* attributes_of(const Given* given);

[[noreturn]] void fail(const Place& place, std::string_view what, std::string missing = {});

/// The same of what says more than where and what: which limit, and that there is no memory.
[[noreturn]] void fail(const Place& place, const LimitExceeded& error);
[[noreturn]] void fail(const Place& place, const std::bad_alloc& error);

/// What the job gives; where it refuses, the message gets the place.
template <class Job>
auto placed(const Place& place, Job job) {
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

/// The value of a node's operand; none where it is left out.
const Value& operand(const Node& node, std::size_t i, const Frame& frame);

/// The one boolean that a condition is, whatever its rank.
bool truth_of(const Value& value, const Place& place);

/// One run: the prepared model, and where the run reports.
class Run {
 public:
  Run(const Prepared& prepared, const BranchObserver& observer, const RunLimits& limits)
      : prepared_(prepared), observer_(observer), meter_(limits) {}

  std::vector<Value> evaluate(GraphIndex graph, Frame frame, const Given* given, const Place& place);

 private:
  /// Where a node stands while it is evaluated.
  struct At {
    GraphIndex graph;
    std::size_t node;
    Frame& frame;
    const Given* given;
    const Place& place;
  };

  /// What trips gave for one output, and what that takes.
  struct Collected {
    std::vector<Value> values;
    Charge charge = {};
  };

  void evaluate_node(const At& at);
  void spend_node(const Place& place);
  void evaluate_kernel(const At& at, const Node& node);
  void evaluate_custom(const At& at, const Node& node);
  void evaluate_if(const At& at, const Node& node);
  void expect_cond_rank(const Value& cond, const Place& place) const;
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
  static TripTypes::Site site_of(const At& at) {
    return {at.given == nullptr ? 0 : at.given->number, at.graph, at.node};
  }
  const Graph& graph_of(const Body& body) const { return prepared_.model.graphs[body.graph]; }
  kernels::Operands here(const At& at, const Node& node) { return {node, {}, attributes_of(at.given), &meter_}; }
  std::vector<Value> enter(const At& at, const Body& body, std::span<const Value> inputs,
                           std::optional<std::int64_t> trip = std::nullopt);
  void give(const At& at, const Node& node, std::span<Value> results) const;
  void charge_sequences(const Node& node, const Frame& frame, const Place& place, Charge& charge);

  const Prepared& prepared_;
  const BranchObserver& observer_;
  Meter meter_;
  std::size_t depth_ = 0;
};

}  // namespace ifcert
