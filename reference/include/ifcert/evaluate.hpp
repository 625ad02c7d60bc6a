// Evaluation: a legal model is prepared once and run any number of times, from any number of threads.
#pragma once

#include <functional>
#include <ifcert/delegate.hpp>
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

/// An If that is evaluated.
struct BranchTaken {
  const std::string& place;
  NodeIndex node;  // an If in a loop or a function is evaluated several times in a run
  bool cond;       // true: it takes its then-branch
};

/// Called for each If that is evaluated.
using BranchObserver = std::function<void(const BranchTaken& taken)>;

/// An operator that the caller of Program supplies: returns the outputs of a node for its operands. An operand that is
/// left out is an empty value. `attributes` are those of the node, with each AttributeReference replaced by the value
/// that the function call passes; `node.attributes` still has the references. The node's place is added to the message
/// of an EvaluationError; a std::bad_alloc becomes OutOfMemory; other exceptions pass through.
using CustomOperator =
    std::function<std::vector<Value>(const Node& node, const Attributes& attributes, std::span<const Value> inputs)>;

/// Custom operators by name: "Op", or "domain.Op" for an operator with a domain. Used only if the reference does not
/// have the operator itself.
using CustomOperators = std::map<std::string, CustomOperator, std::less<>>;

struct Prepared;  // internal: a model that is ready to run

/// A model that is ready to run. Immutable: several threads may call run() at once.
class Program {
 public:
  /// Looks up every operator, and reads the weights that are still in files. Throws EvaluationError naming the first
  /// operator that is missing, and its place; UnreadableModel where a file of weights has changed.
  /// If the model has ONNX loops, also infers the output types of their bodies, because a loop that makes no trip needs
  /// them for its empty results. Throws UnreadableModel, too, if that takes too many steps.
  /// `delegate`, if there is one, computes the nodes without bodies whose operator is neither the reference's nor a
  /// custom one.
  explicit Program(Model model, CustomOperators operators = {}, Delegate delegate = {});

  /// The same, but takes these types instead of inferring them: pass checked(model).trip_types (ifcert/rules.hpp).
  Program(Model model, TripTypes trip_types, CustomOperators operators = {}, Delegate delegate = {});
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  const Model& model() const;

  /// Evaluates the main graph, and returns its outputs in order. `inputs` are in the order of the graph's inputs; the
  /// value of an input that has a default may be empty. Throws EvaluationError; OutOfMemory; LimitExceeded if the run
  /// exceeds `limits`, which exist because a model decides how often its loops run and how large its tensors grow. A
  /// failed run has no effect on later ones.
  std::vector<Value> run(std::span<const Value> inputs, const BranchObserver& observer = {},
                         const RunLimits& limits = {}) const;

 private:
  std::unique_ptr<const Prepared> prepared_;
};

}  // namespace ifcert
