// Evaluation: a legal model is prepared once and run any number of times, from any number of threads.
#pragma once

#include <functional>
#include <ifcert/evaluation_error.hpp>
#include <ifcert/graph.hpp>
#include <ifcert/run_limits.hpp>
#include <ifcert/trip_types.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ifcert {

/// Called for each If that is evaluated, with the node's place and the branch that is taken.
using BranchObserver = std::function<void(const std::string& place, bool taken)>;

/// An operator that the caller supplies: returns the outputs of a node for its operands (an empty value is an operand
/// left out). The attributes are passed separately, with references to a function's attributes resolved. An
/// EvaluationError that it throws gets the node's place in its message; other exceptions pass through.
using CustomOperator =
    std::function<std::vector<Value>(const Node& node, const Attributes& attributes, std::span<const Value> inputs)>;

/// By name: "Op", or "domain.Op" outside the format's own operators. Used only where the reference has no such
/// operator.
using CustomOperators = std::map<std::string, CustomOperator, std::less<>>;

struct Prepared;  // internal: a model ready to be run

/// A model made ready to run. Immutable: run() may be called from several threads at once.
class Program {
 public:
  /// Looks up every operator. Throws EvaluationError naming the first one that is missing, with its place. `trips` are
  /// the model's (see checked()); without them they are inferred once more.
  explicit Program(Model model, CustomOperators operators = {});
  Program(Model model, TripTypes trips, CustomOperators operators = {});
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  const Model& model() const;

  /// Evaluates the main graph. `inputs` are in the order of its inputs; an input that has a default may be empty.
  /// Returns the outputs in order. A model decides how often its loops run and how large its tensors grow; a run that
  /// exceeds `limits` throws LimitExceeded. Throws EvaluationError, OutOfMemory. A failed run has no effect on later
  /// ones.
  std::vector<Value> run(std::span<const Value> inputs, const BranchObserver& observer = {},
                         const RunLimits& limits = {}) const;

 private:
  std::unique_ptr<const Prepared> prepared_;
};

}  // namespace ifcert
