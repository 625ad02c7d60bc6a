// The lists of known failures: they keep a run green while the report stays red, and they cannot rot.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/project.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

struct KnownFailure {
  std::string vector;
  Verdict verdict = Verdict::fail;
  Fault fault = Fault::none;
  std::string link, note;
};

/// One adapter's list; empty where it has none.
struct KnownFailures {
  std::string adapter;
  std::vector<KnownFailure> failures;
};

/// Reads the known_failures.json of the adapter that is called so, by name or by path (adapter_folder); no such file is
/// an empty list. Throws Error: not as its schema says, another adapter's, a vector that is listed twice or that the
/// suite does not have.
KnownFailures read_known_failures(const Project& project, std::string_view called, const Suite& suite);

/// Holds the results against the lists: marks those that are as listed (`known`, and the list's link) and fills in the
/// breaches. What is listed as FAIL (unstable) is as listed whatever the runtime does, right or wrong. A listed vector
/// that has no result was not selected and is not judged; LENIENT is listed as failures are; against no list at all
/// (--strict) it breaks nothing, as no text obliges a runtime to notice an illegal model; HARNESS and NOT-RUN fail the
/// run by themselves. An adapter without a list among `lists` has an empty one.
void hold_against(std::span<const KnownFailures> lists, Certification& certification);

/// Whether the adapter's list, among these, names the result's vector with its verdict and fault.
bool is_as_listed(std::span<const KnownFailures> lists, const Result& result);

}  // namespace ifcert::conformance
