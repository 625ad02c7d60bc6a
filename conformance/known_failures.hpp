// The lists of known failures: they keep a run green while the report stays red, and an outdated entry fails the run.
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

/// The placeholder in a draft of a list (known_failures_draft.hpp) for everything that a person must fill in.
inline constexpr std::string_view still_to_do = "TODO";

/// Reads the known_failures.json of the adapter with this name or path (adapter_folder); without the file the list is
/// empty. An entry of several vectors is one failure for each. Throws Error where the file does not match its schema,
/// belongs to another adapter, has a link or a note that is still to be filled in, or lists a vector twice or one that
/// the suite does not have.
KnownFailures read_known_failures(const Project& project, std::string_view name_or_path, const Suite& suite);

/// Compares the results with the lists: marks those that match (`known`, and the list's link) and fills in the
/// breaches. An entry with FAIL (unstable) matches whatever the runtime does, right or wrong. A listed vector without a
/// result was not selected and is not judged. LENIENT is listed as failures are; without any list (--strict) it is not
/// a breach, because no text obliges a runtime to notice an illegal model. HARNESS and NOT-RUN fail the run by
/// themselves. An adapter without a list among `lists` has an empty one.
void hold_against(std::span<const KnownFailures> lists, Certification& certification);

/// Whether the adapter's list, among these, has the result's vector with its verdict and fault.
bool is_as_listed(std::span<const KnownFailures> lists, const Result& result);

}  // namespace ifcert::conformance
