// Whether the reference treats a generated model as it must: the model is legal and computes in every run, so does
// every related model, and each format that can express it returns the same bits.
#pragma once

#include <string>
#include <vector>

#include "conformance/fuzz/generator/generate.hpp"

namespace ifcert::generator {

/// A disagreement. `oracle` names the check that found it: "legal", "computes", a relation, a format, "run-order".
struct Finding {
  std::string oracle;
  std::string message;
};

struct Examination {
  std::vector<Finding> findings;
  std::vector<std::string> applied;  // the oracles that had something to compare
};

/// Only reads, checks and runs the model as a file of its own format.
std::vector<Finding> examine_alone(const Generated& generated);

/// All oracles. `seed` determines the choices of the relations.
Examination examine(const Generated& generated, std::uint64_t seed);

}  // namespace ifcert::generator
