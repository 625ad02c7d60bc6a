// Specialisation: a model file without those of its Ifs whose branch is known. The nodes of the branch stand where the
// If stood; everything else of the file stays as it was.
#pragma once

#include <cstddef>
#include <ifcert/evaluate.hpp>
#include <ifcert/graph.hpp>
#include <ifcert/inexpressible.hpp>
#include <ifcert/reading.hpp>
#include <map>
#include <memory>
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

  /// Whether all of them did.
  bool are_alike() const { return decisions().size() == taken_.size(); }

 private:
  std::map<NodeIndex, std::set<bool>> taken_;
};

/// What some inputs decide. An If that is in neither list is only in branches that are not taken.
struct Decided {
  Decisions decisions;
  std::set<NodeIndex> open;  // Ifs whose cond depends on other inputs, or differs between their evaluations
};

/// The Ifs whose cond these inputs decide, whatever the other inputs are. `inputs` are in the order of the main graph's
/// inputs; an empty value is not known, even where the input has a default. The model must be legal. Throws
/// EvaluationError where what depends on these inputs alone cannot be evaluated; LimitExceeded; OutOfMemory.
Decided decided_by(const Model& model, std::span<const Value> inputs, const RunLimits& limits = {});

/// The place of each If that a run may reach, as messages have it: of one in a function, its place in the function.
std::map<NodeIndex, std::string> places_of_ifs(const Model& model);

/// A model without some of its Ifs.
struct Specialised {
  std::shared_ptr<const std::string> bytes;  // of its file; in OpenVINO IR of its .xml, whose .bin stays
  Reading reading;
};

/// The file from which `model` was read, and whose bytes (in OpenVINO IR: of the .xml) are `bytes`, with these Ifs
/// replaced. Values of a branch keep their names and the encoding of their tensors; a name is changed only where it
/// would clash. Inputs and outputs of the model stay. The model must be legal; the result is. Throws Inexpressible for
/// an If that cannot be replaced.
Specialised specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions);

}  // namespace ifcert
