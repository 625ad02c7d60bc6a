// Evaluation: a legal model is prepared once and run any number of times, from any number of threads.
#pragma once

#include <functional>
#include <ifcert/evaluation_error.hpp>
#include <ifcert/graph.hpp>
#include <ifcert/run_limits.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ifcert {

/// Told of each If that is evaluated: the node's place and the branch taken.
using BranchObserver = std::function<void(const std::string& place, bool taken)>;

/// An operator that the caller supplies: gives the outputs of a node from its operands (an empty one is left out). The
/// attributes come apart from the node, with references to a function's attributes resolved. Throws EvaluationError,
/// whose message gets the node's place, or what else the caller wants to see.
using CustomOperator =
    std::function<std::vector<Value>(const Node& node, const Attributes& attributes, std::span<const Value> inputs)>;

/// By name: "Op", or "domain.Op" outside the format's own operators. Asked only where the reference has no operator.
using CustomOperators = std::map<std::string, CustomOperator, std::less<>>;

struct Prepared;  // a model ready to be run; ours

/// A model made ready to run. Immutable: run() may be called from several threads at once.
class Program {
 public:
  /// Looks up every operator. Throws EvaluationError naming the first one that is missing, with its place.
  explicit Program(Model model, CustomOperators operators = {});
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  const Model& model() const;

  /// Evaluates the main graph. `inputs` are in the order of its inputs; an input that has a default may be empty.
  /// Returns the outputs in order. A model says how often its loops run and how large its tensors grow: `limits` end
  /// the run, with LimitExceeded. Throws EvaluationError, OutOfMemory. A run that failed leaves nothing behind.
  std::vector<Value> run(std::span<const Value> inputs, const BranchObserver& observer = {},
                         const RunLimits& limits = {}) const;

 private:
  std::unique_ptr<const Prepared> prepared_;
};

}  // namespace ifcert
