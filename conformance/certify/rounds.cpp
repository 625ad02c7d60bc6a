#include "conformance/certify/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ifcert::conformance {
namespace {

bool same_ruling(const Result& one, const Result& other) {
  return one.verdict == other.verdict && one.fault == other.fault;
}

std::string text_of_round(std::size_t round, const Result& result) {
  const std::string reason = result.reason.empty() ? "" : fmt::format(": {}", result.reason);
  return fmt::format("round {}: {}{}", round, verdict_line(result), reason);
}

}  // namespace

void Rounds::add(std::size_t round, Trial trial) {
  done_.insert(round);
  bool loaded = trial.loaded;
  bool by_refusal = trial.by_refusal;
  auto same =
      std::ranges::find_if(kept_, [&trial](const auto& kept) { return same_ruling(kept.second.result, trial.result); });
  if (same == kept_.end()) {
    kept_.emplace(round, std::move(trial));
    return;
  }
  // The model counts as accepted if every round accepted it; a pass counts as a refusal if any round refused it.
  loaded = loaded && same->second.loaded;
  by_refusal = by_refusal || same->second.by_refusal;
  if (round < same->first) {
    kept_.erase(same);
    same = kept_.emplace(round, std::move(trial)).first;
  }
  same->second.loaded = loaded;
  same->second.by_refusal = by_refusal;
}

Trial Rounds::trial() const {
  if (kept_.size() == 1) return kept_.begin()->second;
  for (const auto& [round, trial] : kept_) {
    if (is_inconclusive(trial.result.verdict)) return trial;
  }
  const auto first_not_passed =
      std::ranges::find_if(kept_, [](const auto& kept) { return kept.second.result.verdict != Verdict::pass; });
  Trial unstable = first_not_passed->second;
  std::vector<std::string> all;
  for (const auto& [round, trial] : kept_) {
    all.push_back(text_of_round(round, trial.result));
    unstable.loaded = unstable.loaded && trial.loaded;
  }
  unstable.result.verdict = Verdict::fail;
  unstable.result.fault = Fault::unstable;
  unstable.result.reason = fmt::format("{}", fmt::join(all, "; "));
  return unstable;
}

}  // namespace ifcert::conformance
