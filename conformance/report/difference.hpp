// The differences between two certifications: what broke, what was fixed, what is new.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

enum class Change {
  broke,    // it passed and fails or is unsupported now; it did not fail, and fails now; or it was wrongly refused, and
            // now returns a wrong value, crashes or hangs
  fixed,    // it failed and does not now; or it was unsupported, and passes
  changed,  // another verdict, but neither broke nor fixed: a wrong value became a crash, a pass became lenient
  added,    // only the second certification ran the vector
  removed,  // only the first one did
  unknown,  // one of the results shows nothing about the runtime: ADAPTER, HARNESS, NOT-RUN
};

/// A vector whose verdicts differ; or, where only counts are compared (certified_counts.hpp), a rule on one axis.
struct VectorChange {
  Change change = Change::changed;
  std::string vector, rule;   // no vector where counts are compared
  std::string before, after;  // verdict_line(), or the counts; empty where the vector or the rule was not run
  std::string reason;         // of the second result; empty for a pass
  std::string axis{};         // where counts are compared
};

/// An adapter, and the version of its runtime.
struct Certified {
  std::string name, version;
};

/// An adapter of both certifications.
struct AdapterDifference {
  Certified before, after;
  std::size_t same = 0;  // vectors with the same verdict, or rules with the same counts
  std::vector<VectorChange> differences;

  [[nodiscard]] std::size_t count(Change change) const;
};

struct CertificationDifference {
  bool same_vectors = true;  // the manifests are the same
  bool by_rule = false;      // counts were compared, because one side is a certificate
  std::vector<AdapterDifference> adapters;
  std::vector<std::string> only_before, only_after;  // adapters

  [[nodiscard]] bool has(Change change) const;
};

/// Adapters are matched by name; if each certification has just one, these are compared whatever their names. Throws
/// Error if there is nothing to compare.
CertificationDifference difference(const Certification& before, const Certification& after);

/// "broke", "fixed", …
std::string to_string(Change change);

}  // namespace ifcert::conformance
