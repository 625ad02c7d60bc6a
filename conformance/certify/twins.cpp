#include "conformance/certify/twins.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace ifcert::conformance {
namespace {

bool is_accepted(const Trial& twin, bool runs_models) {
  if (!runs_models) return twin.loaded;
  return twin.result.verdict == Verdict::pass && !twin.by_refusal;
}

/// Changes the verdict of a refusal whose twin was not accepted.
void lower_verdict(Result& refusal, const Result& twin) {
  switch (twin.verdict) {
    case Verdict::unsupported:
      refusal.verdict = Verdict::unsupported;
      refusal.reason = fmt::format("refused, but its legal twin {} is unsupported: {}", twin.vector, twin.reason);
      refusal.link = twin.link;
      return;
    case Verdict::harness:
    case Verdict::not_run:
      refusal.verdict = twin.verdict;
      refusal.reason = fmt::format("refused, but its legal twin {} was not judged: {}", twin.vector, twin.reason);
      return;
    default:
      refusal.verdict = Verdict::not_shown;
      refusal.reason = fmt::format("refused as expected, but its legal twin {} is {}: the refusal shows nothing",
                                   twin.vector, twin.verdict == Verdict::pass ? "refused too" : verdict_line(twin));
  }
}

}  // namespace

void judge_by_twins(std::vector<Trial>& trials, bool runs_models) {
  std::map<std::string_view, const Trial*> by_id;
  for (const Trial& trial : trials) by_id.emplace(trial.result.vector, &trial);
  for (Trial& trial : trials) {
    if (trial.result.verdict != Verdict::pass || !trial.by_refusal || trial.twin.empty()) continue;
    const auto twin = by_id.find(trial.twin);
    if (twin == by_id.end()) {
      trial.result.verdict = Verdict::not_run;
      trial.result.reason = fmt::format("refused, but its legal twin {} was not run", trial.twin);
    } else if (!is_accepted(*twin->second, runs_models)) {
      lower_verdict(trial.result, twin->second->result);
    }
  }
}

}  // namespace ifcert::conformance
