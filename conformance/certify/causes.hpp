// Causes: groups of results that did not pass and probably share one reason. A thousand failures of a runtime may come
// down to one missing type and four silent wrong values, which nobody would find in a list of them all.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The kinds of causes, in the order of the reports: the most important first.
enum class CauseKind {
  wrong_values,
  crashes_and_hangs,
  unstable,
  wrongly_accepted,
  lenient,
  refused,
  not_if,
  unsupported,
  not_shown,
  not_judged
};
inline constexpr std::array all_cause_kinds{
    CauseKind::wrong_values, CauseKind::crashes_and_hangs, CauseKind::unstable, CauseKind::wrongly_accepted,
    CauseKind::lenient,      CauseKind::refused,           CauseKind::not_if,   CauseKind::unsupported,
    CauseKind::not_shown,    CauseKind::not_judged};

/// "wrong values", "crashes and hangs", …
std::string to_string(CauseKind kind);

/// The kind of a result that does not pass.
CauseKind cause_kind(const Result& result);

/// A text that is equal for failures that probably have the same cause: verdict, fault, signal, phase, and our message
/// and the runtime's, in which '#' replaces each word that has a quote or a slash, and each number that is not part of
/// the name of an element type. For wrong values only verdict and phase count: the values differ from vector to vector.
std::string cause_of(const Result& result);

/// As many failures of one cause are run in one process, when they are run again and when their siblings are.
inline constexpr std::size_t most_in_batch = 32;

/// Whether both failures probably have the same cause.
bool fail_alike(const Result& one, const Result& other);

/// The most informative line of the runtime's own message: the first that does not only name the place where an
/// exception was thrown. For a process that crashed, the last line that it printed. Empty if the runtime printed
/// nothing.
std::string own_line(const Result& result);

/// The results of one adapter with the same cause, in the certification's order: at least one.
struct Cause {
  std::string adapter;
  CauseKind kind = CauseKind::not_judged;
  std::vector<const Result*> results;
  std::map<Axis, std::size_t> axes;  // how many of the results are on each axis
  std::size_t known = 0;             // how many of the results are on the adapter's list of known failures

  [[nodiscard]] const Result& example() const { return *results.front(); }
};

/// All causes, by kind, the most frequent first, then in the certification's order. They point into the certification,
/// which must outlive them.
std::vector<Cause> causes_of(const Certification& certification);

}  // namespace ifcert::conformance
