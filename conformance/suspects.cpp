#include "conformance/suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "conformance/causes.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t most_in_a_process = 32;

}  // namespace

std::optional<std::size_t> control_of(std::size_t suspect, std::string_view rule,
                                      const std::vector<std::pair<std::size_t, std::string_view>>& passed) {
  const auto next = std::ranges::upper_bound(passed, suspect, {}, &std::pair<std::size_t, std::string_view>::first);
  const auto of_rule = std::find_if(next, passed.end(), [rule](const auto& other) { return other.second == rule; });
  if (of_rule != passed.end()) return of_rule->first;
  if (next != passed.end()) return next->first;
  for (const auto& [vector, its_rule] : std::views::reverse(passed)) {
    if (vector != suspect) return vector;  // with several rounds, a suspect may be among those that passed
  }
  return std::nullopt;
}

std::vector<Batch> batches_of(std::vector<Suspect> suspects) {
  std::vector<Batch> batches;
  std::map<std::string, std::size_t> open;  // the batch of each cause that has room for more
  std::ranges::sort(suspects, std::ranges::greater{}, &Suspect::vector);
  for (Suspect& suspect : suspects) {
    const auto [entry, is_new] = open.emplace(cause_of(suspect.trials.front().result), batches.size());
    if (!is_new && batches[entry->second].size() == most_in_a_process) entry->second = batches.size();
    if (entry->second == batches.size()) batches.emplace_back();
    batches[entry->second].push_back(std::move(suspect));
  }
  return batches;
}

void make_unstable(Trial& trial, const Result& again, bool alone) {
  Result& result = trial.result;
  const bool passes = again.verdict == Verdict::pass;
  const std::string otherwise =
      passes ? "it passes"
             : fmt::format("{}: {}", verdict_line(again), again.reason.empty() ? "no reason" : again.reason);
  result.reason = fmt::format("in one process {}: {}; in {} process {}", verdict_line(result), result.reason,
                              alone ? "a fresh" : "another", otherwise);
  result.verdict = Verdict::fail;
  result.fault = Fault::unstable;
}

}  // namespace ifcert::conformance
