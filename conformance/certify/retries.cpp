#include "conformance/certify/retries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "conformance/certify/causes.hpp"

namespace ifcert::conformance {
bool is_suspect(std::span<const KnownFailures> lists, const Result& result) {
  return is_failure(result.verdict) && result.verdict != Verdict::adapter && !is_as_listed(lists, result);
}

std::optional<std::size_t> probe_of(std::size_t suspect, std::string_view rule, const std::vector<Probe>& eligible) {
  const auto next = std::ranges::upper_bound(eligible, suspect, {}, &Probe::vector);
  const auto of_rule = std::find_if(next, eligible.end(), [rule](const Probe& each) { return each.rule == rule; });
  if (of_rule != eligible.end()) return of_rule->vector;
  if (next != eligible.end()) return next->vector;
  for (const Probe& each : std::views::reverse(eligible)) {
    if (each.vector != suspect)
      return each.vector;  // the suspect itself may be eligible, if it passed in another round
  }
  return std::nullopt;
}

std::vector<Batch> batches_of(std::vector<Suspect> suspects) {
  std::vector<Batch> batches;
  std::map<std::string, std::size_t> current;  // the index of the batch to which each cause's next suspect is added
  std::ranges::sort(suspects, std::ranges::greater{}, &Suspect::vector);
  for (Suspect& suspect : suspects) {
    const auto [entry, is_new] = current.emplace(cause_of(suspect.trials.front().result), batches.size());
    if (!is_new && batches[entry->second].size() == most_in_batch) entry->second = batches.size();
    if (entry->second == batches.size()) batches.emplace_back();
    batches[entry->second].push_back(std::move(suspect));
  }
  return batches;
}

void make_unstable(Trial& trial, const Result& again, bool was_first) {
  Result& result = trial.result;
  const bool passes = again.verdict == Verdict::pass;
  const std::string otherwise =
      passes ? "it passes"
             : fmt::format("{}: {}", verdict_line(again), again.reason.empty() ? "no reason" : again.reason);
  result.reason = fmt::format("in one process {}: {}; in {} process {}", verdict_line(result), result.reason,
                              was_first ? "a fresh" : "another", otherwise);
  result.verdict = Verdict::fail;
  result.fault = Fault::unstable;
}

}  // namespace ifcert::conformance
