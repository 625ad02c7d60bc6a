// Specialisation: a model file without those of its Ifs whose branch is known. The nodes of the branch stand where the
// If stood; everything else of the file stays as it was.
#pragma once

#include <cstddef>
#include <ifcert/evaluate.hpp>
#include <ifcert/graph.hpp>
#include <ifcert/inexpressible.hpp>
#include <map>
#include <set>
#include <span>
#include <string>

namespace ifcert {

/// For each of these Ifs: whether it takes its then-branch, whenever it is evaluated.
using Decisions = std::map<NodeIndex, bool>;

/// The Ifs that runs evaluate.
class ObservedBranches {
 public:
  /// To be passed to Program::run(); these branches must outlive it.
  BranchObserver observer() {
    return [this](const BranchTaken& taken) { taken_[taken.node].insert(taken.cond); };
  }

  /// Those Ifs that took one branch in all their evaluations.
  Decisions decisions() const;

 private:
  std::map<NodeIndex, std::set<bool>> taken_;
};

/// The Ifs whose cond these inputs decide, whatever the other inputs are. `inputs` are in the order of the main graph's
/// inputs; an empty value is not known, even where the input has a default. The model must be legal. Ifs in branches
/// that are not taken have no decision. Throws EvaluationError where what depends on these inputs alone cannot be
/// evaluated; LimitExceeded; OutOfMemory.
Decisions decided_by(const Model& model, std::span<const Value> inputs, const RunLimits& limits = {});

/// The bytes of the file from which `model` was read (in OpenVINO IR: of its .xml), with these Ifs replaced. Values of
/// a branch keep their names and the encoding of their tensors; a name is changed only where it would clash. Inputs and
/// outputs of the model stay. `model` must be legal. Throws Inexpressible for an If that cannot be replaced.
std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);

}  // namespace ifcert
