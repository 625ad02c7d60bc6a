// The same model without the If: shows whether a failure is If's.
#pragma once

#include <string>
#include <vector>

#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// A sibling of a vector's model in which the nodes of the branch that these runs take stand where each If stood. Only
/// the model's own file differs. The reference computes in these runs what it computes with the If.
struct WithoutIfs {
  ModelFiles files;
  std::vector<std::size_t> steps;  // of the vector: the load, and the runs, held outputs and concurrent runs
};

/// The siblings of a vector's model, one for each group of runs that take the same branches; or why there are none.
struct SiblingsWithoutIfs {
  std::vector<WithoutIfs> siblings{};
  std::string why_not{};
};

/// The vector's load and at least one of its runs must be expected to succeed; its files must be usable.
SiblingsWithoutIfs without_ifs(const Vector& vector);

}  // namespace ifcert::conformance
