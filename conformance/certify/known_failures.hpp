// The lists of known failures. A listed failure does not fail the run, although the reports show it as a failure; an
// outdated entry fails the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

struct KnownFailure {
  std::string vector;
  Verdict verdict = Verdict::fail;
  Fault fault = Fault::none;
  std::string link, note;                   // the link: the entry's own, or that of the deviation that it names
  std::optional<Verdict> other_limit = {};  // TIMEOUT where a busy machine may meet it before MEMORY
  std::optional<Verdict> failed_as = {};    // for NOT-IF: as Result has it
  std::string rewriting = {};               // of an entry on a rewriting: its name
};

/// One adapter's list; empty where it has none.
struct KnownFailures {
  std::string adapter;
  std::vector<KnownFailure> failures;
  std::vector<KnownFailure> rewritings = {};  // of models that the runtime computes as they are
};

/// The placeholder in a draft of a list (known_failures_draft.hpp) for everything that a person must fill in.
inline constexpr std::string_view still_to_do = "TODO";

/// Reads the known_failures.json of the adapter with this name or path (adapter_folder); without this file the list is
/// empty. An entry with several vectors becomes one KnownFailure for each; one that names a deviation gets the link to
/// its page (deviations.hpp). Throws Error where the file does not match
/// its schema, names another adapter, has a link or a note that is still to be filled in, names a deviation of which
/// there is no record, lists a vector twice, or lists one that is not in the suite.
KnownFailures read_known_failures(const Project& project, std::string_view name_or_path, const Suite& suite);

/// Compares the results with the lists. Marks the failures that are listed (Result::known, with the entry's link) and
/// fills in the breaches.
///
/// An entry with FAIL (unstable) matches any result, right or wrong. One with `or` matches either of its two limits: a
/// model that takes memory without end meets the limit on time first where the machine is busy. Entries for vectors
/// that were not run are ignored. LENIENT and NOT-IF must be listed too; but without any list (--strict) LENIENT is no
/// breach, because no text obliges a runtime to notice an illegal model. Where no siblings were run (--no-controls), an
/// entry with NOT-IF matches the failure that it names. HARNESS and NOT-RUN are not compared, because they fail the run
/// in any case (exit_code). An adapter that has no list among `lists` has an empty one.
///
/// Rewritings that fail are compared in the same way with the entries on rewritings; an entry is ignored where its
/// rewriting was not run.
void compare_with_lists(std::span<const KnownFailures> lists, Certification& certification);

/// Whether the list of the result's adapter has an entry for its vector, verdict and fault, before its siblings are
/// run: an entry with NOT-IF matches the failure that it names.
bool is_as_listed(std::span<const KnownFailures> lists, const Result& result);

/// Whether a list names the result's vector as unstable, whatever the result.
bool is_listed_as_unstable(std::span<const KnownFailures> lists, const Result& result);

}  // namespace ifcert::conformance
