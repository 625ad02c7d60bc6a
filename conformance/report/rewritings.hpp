// The rewritings (docs/rewritings.md) that models do not survive on a runtime, though it computes the models as they
// are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// A result that passes, and its model's rewriting that does not.
struct RewritingFinding {
  const Result* pass;
  const RewritingResult* rewriting;
};

/// The findings of one adapter and rewriting: at least one, failures first. They point into the certification.
struct RewritingFindings {
  std::string adapter, name, what;
  std::size_t run = 0;  // the models that were run with it
  std::vector<RewritingFinding> findings;
};

/// By adapter, in the table's order.
std::vector<RewritingFindings> rewriting_findings(const Certification& certification);

/// Whether any rewriting was run.
bool has_rewritings(const Certification& certification);

/// How many were run on the adapter, and how many of them fail: "3 of 812 rewritings fail".
std::string rewriting_counts(const Certification& certification, const std::string& adapter);

/// "differs with nodes-reordered (nodes are in …): 2 of 31, FAIL (wrong-value), such as onnx/if/nesting/deep: got 3 …"
std::string finding_line(const RewritingFindings& findings);

/// For the terminal: the counts of each adapter, and a line for each of its findings; empty where no rewriting was run.
std::string rewritings_text(const Certification& certification);

/// The runtime's own message, or ours.
std::string message_of(const RewritingResult& rewriting);

}  // namespace ifcert::conformance
