#include "conformance/certify/sibling_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/certify/causes.hpp"
#include "conformance/certify/siblings.hpp"
#include "conformance/certify/trial.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t max_batch = 32;

/// Failures of one adapter with one cause.
struct Failures {
  const Adapter* adapter;
  std::vector<Result*> results;
};

bool has_siblings(const Result& result, const Vector& vector) {
  const bool fails = is_failure(result.verdict) && result.verdict != Verdict::adapter;
  return fails && result.fault != Fault::unstable && vector.summary.axis != Axis::diagnoses && vector.unusable.empty();
}

std::vector<Failures> failures_by_cause(const Suite& suite, std::span<const Adapter> adapters,
                                        Certification& certification) {
  std::vector<Failures> batches;
  std::map<std::pair<const Adapter*, std::string>, std::size_t> current;  // the batch that is being filled
  for (Result& result : certification.results) {
    const Vector& vector = *suite.find(result.vector);
    if (!has_siblings(result, vector)) continue;
    const Adapter& adapter = *std::ranges::find(adapters, result.adapter, &Adapter::name);
    std::size_t& batch = current.try_emplace({&adapter, cause_of(result)}, batches.size()).first->second;
    if (batch < batches.size() && batches[batch].results.size() == max_batch) batch = batches.size();
    if (batch == batches.size()) batches.push_back({&adapter, {}});
    batches[batch].results.push_back(&result);
  }
  return batches;
}

/// The vector with the sibling's model and steps. A held output that is read again names its run's step.
Vector with_sibling(const Vector& vector, const Sibling& sibling) {
  Vector made = vector;
  made.files = sibling.files;
  made.summary.steps = json::array();
  for (const std::size_t step : sibling.steps) {
    json& added = made.summary.steps.emplace_back(vector.summary.steps[step]);
    if (!added.contains("reread")) continue;
    json& held = added["reread"]["step"];
    held = std::ranges::find(sibling.steps, held.get<std::size_t>()) - sibling.steps.begin();
  }
  return made;
}

/// The siblings for the step that failed; all of them where the load failed, or no step did.
std::vector<Sibling> siblings_for(const Result& failure, std::vector<Sibling> all) {
  const std::size_t step = failure.step.value_or(0);
  if (step == 0) return all;
  std::erase_if(
      all, [step](const Sibling& sibling) { return std::ranges::find(sibling.steps, step) == sibling.steps.end(); });
  return all;
}

/// Runs the siblings of one batch.
class SiblingRuns {
 public:
  SiblingRuns(const Project& project, const Adapter& adapter, const Schema& answers, const Limits& limits)
      : project_(project), adapter_(adapter), answers_(answers), limits_(limits), session_(fresh_session()) {}

  void run(Result& failure, const Vector& vector) {
    failure.without_ifs = outcome_of(failure, vector, without_ifs(vector), without_ifs_alike_);
    failure.rewritten = outcome_of(failure, vector, rewritten(vector), rewritten_alike_);
  }

 private:
  std::unique_ptr<Session> fresh_session() const {
    return std::make_unique<Session>(project_, adapter_, answers_, limits_);
  }

  SiblingResult outcome_of(const Result& failure, const Vector& vector, Siblings siblings, bool& is_alike_when_fresh) {
    if (siblings.all.empty()) return {SiblingOutcome::not_made, std::move(siblings.why_not)};
    const std::vector<Sibling> all = siblings_for(failure, std::move(siblings.all));
    if (all.empty()) return {SiblingOutcome::not_made, "the reference refuses the run that failed"};
    std::vector<SiblingResult> results;
    for (const Sibling& sibling : all)
      results.push_back(outcome_of(failure, with_sibling(vector, sibling), is_alike_when_fresh));
    return of_several(results);
  }

  /// `is_alike_when_fresh`: a sibling of this kind has failed alike as the first of its process, so others that do need
  /// no process of their own.
  SiblingResult outcome_of(const Result& failure, const Vector& sibling, bool& is_alike_when_fresh) {
    bool was_first = session_->is_fresh();
    Result result = try_vector(*session_, sibling).result;
    const bool is_explained = is_alike_when_fresh && fail_alike(failure, result);
    if (result.verdict != Verdict::pass && !was_first && !is_explained) {
      session_ = fresh_session();
      was_first = true;
      result = try_vector(*session_, sibling).result;
    }
    if (result.verdict == Verdict::pass) return {SiblingOutcome::computes};
    if (fail_alike(failure, result)) {
      is_alike_when_fresh = is_alike_when_fresh || was_first;
      return {SiblingOutcome::fails_alike};
    }
    const bool fails = is_failure(result.verdict) && result.verdict != Verdict::adapter;
    const std::string words = own_line(result);
    return {fails ? SiblingOutcome::fails_otherwise : SiblingOutcome::not_made,
            fmt::format("{}: {}", verdict_line(result), words.empty() ? result.reason : words)};
  }

  static SiblingResult of_several(const std::vector<SiblingResult>& results) {
    for (const SiblingOutcome outcome : {SiblingOutcome::not_made, SiblingOutcome::fails_otherwise}) {
      const auto found = std::ranges::find(results, outcome, &SiblingResult::outcome);
      if (found != results.end()) return *found;
    }
    const auto computing = std::ranges::count(results, SiblingOutcome::computes, &SiblingResult::outcome);
    if (computing == std::ssize(results)) return {SiblingOutcome::computes};
    if (computing == 0) return {SiblingOutcome::fails_alike};
    return {SiblingOutcome::fails_otherwise, fmt::format("{} of {} models compute", computing, results.size())};
  }

  const Project& project_;
  const Adapter& adapter_;
  const Schema& answers_;
  const Limits& limits_;
  std::unique_ptr<Session> session_;
  bool without_ifs_alike_ = false;
  bool rewritten_alike_ = false;
};

}  // namespace

void run_siblings(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                  const CertificationOptions& options, Certification& certification) {
  const std::vector<Failures> batches = failures_by_cause(suite, adapters, certification);
  const Schema answers(project.protocol("answer.schema.json"));
  const auto is_stopped = [&] { return options.interrupted != nullptr && options.interrupted->load(); };
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::map<std::string, std::pair<Clock::time_point, Clock::time_point>> spans;  // by adapter: from start to end
  std::mutex mutex;                                                              // guards the spans and the failure
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < batches.size() && !is_stopped(); i = next++) {
        const auto started = Clock::now();
        SiblingRuns runs(project, *batches[i].adapter, answers, options.limits);
        for (Result* result : batches[i].results) {
          if (!is_stopped()) runs.run(*result, *suite.find(result->vector));
        }
        const std::lock_guard lock(mutex);
        auto& [first, last] = spans.try_emplace(batches[i].adapter->name, started, started).first->second;
        first = std::min(first, started);
        last = std::max(last, Clock::now());
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = batches.size();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::max<std::size_t>(options.jobs, 1); ++i) threads.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  for (const auto& [adapter, span] : spans) {
    certification.wall_times[adapter].sibling_seconds = std::chrono::duration<double>(span.second - span.first).count();
  }
}

}  // namespace ifcert::conformance
