#include "conformance/report/difference.hpp"

#include <algorithm>
#include <map>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

/// 2 for a pass, 0 for a failure, 1 for what is neither.
int rank(Verdict verdict) {
  if (verdict == Verdict::pass) return 2;
  return fails(verdict) ? 0 : 1;
}

/// A failure that the runtime itself reports, so that its user is not misled.
bool is_refusal(const Result& result) {
  return failed_as(result) == Verdict::fail && result.fault == Fault::wrongly_refused;
}

/// No text obliges a runtime to notice an illegal model, so a pass that becomes lenient is not a loss.
bool is_lenient(Verdict verdict) {
  return verdict == Verdict::lenient || verdict == Verdict::not_shown;
}

Change change_of(const Result& before, const Result& after) {
  if (is_inconclusive(before.verdict) || is_inconclusive(after.verdict)) return Change::unknown;
  const int gained = rank(after.verdict) - rank(before.verdict);
  if (gained < 0) return is_lenient(after.verdict) ? Change::changed : Change::broke;
  if (gained > 0) return is_lenient(before.verdict) ? Change::changed : Change::fixed;
  if (is_refusal(before) && fails(after.verdict) && !is_refusal(after)) return Change::broke;
  return Change::changed;
}

const AdapterIdentity* find(const Certification& certification, const std::string& name) {
  const auto found = std::ranges::find(certification.adapters, name, &AdapterIdentity::name);
  return found == certification.adapters.end() ? nullptr : &*found;
}

std::map<std::string, const Result*> results_of(const Certification& certification, const std::string& adapter) {
  std::map<std::string, const Result*> results;
  for (const Result& result : certification.results) {
    if (result.adapter == adapter) results.emplace(result.vector, &result);
  }
  return results;
}

AdapterDifference compare(const Certification& before, const AdapterIdentity& old_one, const Certification& after,
                          const AdapterIdentity& new_one) {
  AdapterDifference found;
  found.before = {old_one.name, old_one.version};
  found.after = {new_one.name, new_one.version};
  auto old_results = results_of(before, old_one.name);
  for (const auto& [vector, result] : results_of(after, new_one.name)) {
    const auto old_result = old_results.find(vector);
    if (old_result == old_results.end()) {
      found.differences.push_back({Change::added, vector, result->rule, "", verdict_line(*result), result->reason});
      continue;
    }
    const Result& old = *old_result->second;
    if (verdict_line(old) == verdict_line(*result)) {
      ++found.same;
    } else {
      found.differences.push_back(
          {change_of(old, *result), vector, result->rule, verdict_line(old), verdict_line(*result), result->reason});
    }
    old_results.erase(old_result);
  }
  for (const auto& [vector, result] : old_results)
    found.differences.push_back({Change::removed, vector, result->rule, verdict_line(*result), "", ""});
  std::ranges::stable_sort(found.differences, {},
                           [](const VectorChange& each) { return std::pair(each.change, each.rule); });
  return found;
}

}  // namespace

std::size_t AdapterDifference::count(Change change) const {
  return static_cast<std::size_t>(std::ranges::count(differences, change, &VectorChange::change));
}

bool CertificationDifference::has(Change change) const {
  return std::ranges::any_of(adapters, [&](const AdapterDifference& each) { return each.count(change) > 0; });
}

CertificationDifference difference(const Certification& before, const Certification& after) {
  CertificationDifference found;
  found.same_vectors = before.manifest_digest == after.manifest_digest;
  if (before.adapters.size() == 1 && after.adapters.size() == 1) {
    found.adapters.push_back(compare(before, before.adapters.front(), after, after.adapters.front()));
    return found;
  }
  for (const AdapterIdentity& adapter : before.adapters) {
    const AdapterIdentity* same = find(after, adapter.name);
    if (same == nullptr) {
      found.only_before.push_back(adapter.name);
    } else {
      found.adapters.push_back(compare(before, adapter, after, *same));
    }
  }
  for (const AdapterIdentity& adapter : after.adapters) {
    if (find(before, adapter.name) == nullptr) found.only_after.push_back(adapter.name);
  }
  if (found.adapters.empty()) throw Error("the two results have no adapter in common");
  return found;
}

std::string to_string(Change change) {
  switch (change) {
    case Change::broke:
      return "broke";
    case Change::fixed:
      return "fixed";
    case Change::changed:
      return "changed";
    case Change::added:
      return "new";
    case Change::removed:
      return "gone";
    case Change::unknown:
      return "unknown";
  }
  return "changed";
}

}  // namespace ifcert::conformance
