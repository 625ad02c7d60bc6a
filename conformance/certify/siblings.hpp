// Siblings of a vector's model, which show whose failure a failure is: the same model without its Ifs (is it the If?),
// and the same model written in one plain form (is it the form of the file?).
#pragma once

#include <string>
#include <vector>

#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// A model for some steps of a vector, in which the reference computes what it computes for the vector's own model.
struct Sibling {
  ModelFiles files;
  std::vector<std::size_t> steps;  // the load, and those runs, held outputs and concurrent runs that the model is for
};

/// All siblings of one kind, or why there are none.
struct Siblings {
  std::vector<Sibling> all{};
  std::string why_not{};
};

/// The model with the nodes of the branch that these runs take in place of each If, and everything else of its file as
/// it was: one sibling for each group of runs that take the same branches. The vector's files must be usable; a model
/// that breaks a rule has no siblings.
Siblings without_ifs(const Vector& vector);

/// A vector whose model returns more, and that model without its Ifs.
struct WithConds {
  Vector vector;
  Siblings without_ifs;
};

/// The vector whose model also returns the cond of each If of its main graph, where a node makes it: without the Ifs
/// nothing else reads what decided. Each run expects the conds that the reference computes in it.
WithConds with_conds(const Vector& vector);

/// The model as ifcert writes it: one sibling for all steps.
Siblings rewritten(const Vector& vector);

}  // namespace ifcert::conformance
