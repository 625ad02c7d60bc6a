// The rules as the reference states them, for the vectors that are reported on.
#pragma once

#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The rules that these vectors count for, in the order of the reference's table. Throws Error when a vector counts for
/// a rule that the table does not have.
std::vector<RuleSummary> rules_of(const std::vector<VectorSummary>& vectors);

/// Every rule of the reference's table.
std::vector<RuleSummary> all_rules();

}  // namespace ifcert::conformance
