// A certificate's counts: how many vectors of each rule had which verdict. Two certifications are compared by them if
// one has left only its certificate.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/report/difference.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// The vectors of one rule on one axis.
struct RuleCounts {
  std::map<Verdict, std::size_t> verdicts;
  /// The verdict of each vector that failed or was lenient; nothing where not all of them are known. A certificate
  /// names only those that the adapter's list of known failures has.
  std::optional<std::map<std::string, std::string>> not_passing = std::map<std::string, std::string>{};

  [[nodiscard]] std::size_t total() const;
};

struct AdapterCounts {
  Certified adapter;
  std::map<std::pair<std::string, Axis>, RuleCounts> rules;
};

struct CertifiedCounts {
  std::string manifest;  // SHA-256 of vectors/manifest.json
  std::vector<AdapterCounts> adapters;
};

/// Whether the text of a file is a certificate.
bool is_certificate(std::string_view text);

/// The counts of a certificate; the manifest has the rule and the axis of each vector. Throws Error where the text is
/// not a certificate as ifcert writes it.
CertifiedCounts counts_in_certificate(std::string_view text, const Suite& manifest);

/// The same of results. Throws Error where the manifest lacks one of their vectors.
CertifiedCounts counts_in_results(const Certification& certification, const Suite& manifest);

/// The differences, rule by rule and axis by axis. A rule broke if more of its vectors fail than before, if fewer pass
/// and more are unsupported, or, where the vectors are known, if one fails that did not, or one that was wrongly
/// refused fails in another way. It is fixed if fewer fail, or more pass and fewer are unsupported. Where the rule has
/// another number of vectors, or a result that shows nothing about the runtime, the change is unknown. Adapters are
/// matched as difference() of two certifications does.
CertificationDifference difference(const CertifiedCounts& before, const CertifiedCounts& after);

}  // namespace ifcert::conformance
