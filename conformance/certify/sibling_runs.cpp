#include "conformance/certify/sibling_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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

/// Failures of one adapter with one cause.
struct Failures {
  const Adapter* adapter;
  std::vector<Result*> results;
};

/// A failure on a rule of While is one of While, whatever Ifs are in the model.
bool is_of_while(const Result& result) {
  return result.rule.starts_with("tflite/while/");
}

bool has_siblings(const Result& result, const Vector& vector) {
  const bool fails = is_failure(result.verdict) && result.verdict != Verdict::adapter && !is_of_while(result);
  return fails && result.fault != Fault::unstable && vector.summary.axis != Axis::diagnoses && vector.unusable.empty();
}

/// Hangs come first, each a batch of its own, so that they wait side by side; those that end the process come last.
int turn_of(const Result& result) {
  if (result.verdict == Verdict::timeout) return 0;
  return result.verdict == Verdict::fail ? 1 : 2;
}

/// In the adapters' order, then in turn.
std::vector<Failures> failures_by_cause(const Suite& suite, std::span<const Adapter> adapters,
                                        Certification& certification) {
  std::vector<Failures> batches;
  std::map<std::pair<const Adapter*, std::string>, std::size_t> current;  // the batch that is being filled
  for (Result& result : certification.results) {
    const Vector& vector = *suite.find(result.vector);
    if (!has_siblings(result, vector)) continue;
    const Adapter& adapter = *std::ranges::find(adapters, result.adapter, &Adapter::name);
    std::size_t& batch = current.try_emplace({&adapter, cause_of(result)}, batches.size()).first->second;
    const std::size_t most = result.verdict == Verdict::timeout ? 1 : most_in_batch;
    if (batch < batches.size() && batches[batch].results.size() == most) batch = batches.size();
    if (batch == batches.size()) batches.push_back({&adapter, {}});
    batches[batch].results.push_back(&result);
  }
  std::ranges::stable_sort(batches, {}, [](const Failures& batch) { return turn_of(*batch.results.front()); });
  std::ranges::stable_sort(batches, {}, [&](const Failures& batch) { return batch.adapter - adapters.data(); });
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

/// What makes a failure of a sibling certain.
enum class Confirmation {
  own_process,         // that it fails as the first of its process
  vectors_own_failure  // that it fails as the vector does
};

/// Runs siblings on one adapter.
class SiblingRuns {
 public:
  SiblingRuns(const Project& project, const Adapter& adapter, const Schema& answers, const Limits& limits)
      : project_(project), adapter_(adapter), answers_(answers), limits_(limits), session_(fresh_session()) {}

  const Adapter& adapter() const { return adapter_; }

  void begin_cause() { alike_when_fresh_ = false; }

  void run(Result& failure, const Vector& vector) {
    failure.without_ifs = outcome_of(failure, vector, without_ifs(vector), Confirmation::own_process);
    if (failure.without_ifs->outcome == SiblingOutcome::computes && fails_with_conds(failure, vector))
      failure.without_ifs = {SiblingOutcome::fails_alike, "where it also returns its conds"};
    if (failure.without_ifs->outcome != SiblingOutcome::fails_alike) {
      failure.rewritten = outcome_of(failure, vector, rewritten(vector), Confirmation::vectors_own_failure);
      return;
    }
    failure.failed_as = failure.verdict;
    failure.verdict = Verdict::not_if;
  }

 private:
  std::unique_ptr<Session> fresh_session() const {
    return std::make_unique<Session>(project_, adapter_, answers_, limits_);
  }

  /// Whether it is what makes a cond that fails: without the Ifs nothing reads that, until it is returned.
  bool fails_with_conds(const Result& failure, const Vector& vector) {
    WithConds made = with_conds(vector);
    const SiblingResult result =
        outcome_of(failure, made.vector, std::move(made.without_ifs), Confirmation::own_process);
    return result.outcome == SiblingOutcome::fails_alike;
  }

  SiblingResult outcome_of(const Result& failure, const Vector& vector, Siblings siblings, Confirmation confirmation) {
    if (siblings.all.empty()) return {SiblingOutcome::not_made, std::move(siblings.why_not)};
    const std::vector<Sibling> all = siblings_for(failure, std::move(siblings.all));
    if (all.empty()) return {SiblingOutcome::not_made, "the reference refuses the run that failed"};
    std::vector<SiblingResult> results;
    for (const Sibling& sibling : all)
      results.push_back(outcome_of(failure, with_sibling(vector, sibling), confirmation));
    return of_several(results);
  }

  SiblingResult outcome_of(const Result& failure, const Vector& sibling, Confirmation confirmation) {
    bool was_first = session_->is_fresh();
    Result result = try_vector(*session_, sibling).result;
    if (result.verdict != Verdict::pass && !was_first && !is_explained(failure, result, confirmation)) {
      session_ = fresh_session();
      was_first = true;
      result = try_vector(*session_, sibling).result;
    }
    if (result.verdict == Verdict::pass) return {SiblingOutcome::computes};
    if (fail_alike(failure, result)) {
      alike_when_fresh_ = alike_when_fresh_ || (was_first && confirmation == Confirmation::own_process);
      return {SiblingOutcome::fails_alike};
    }
    const bool fails = is_failure(result.verdict) && result.verdict != Verdict::adapter;
    const std::string words = own_line(result);
    return {fails ? SiblingOutcome::fails_otherwise : SiblingOutcome::not_made,
            fmt::format("{}: {}", verdict_line(result), words.empty() ? result.reason : words)};
  }

  /// Whether the sibling's failure needs no process of its own.
  bool is_explained(const Result& failure, const Result& sibling, Confirmation confirmation) const {
    const bool is_confirmed = confirmation == Confirmation::vectors_own_failure || alike_when_fresh_;
    return is_confirmed && fail_alike(failure, sibling);
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
  bool alike_when_fresh_ = false;  // a model without its Ifs has failed with this cause as the first of its process
};

/// Of a failure without siblings nobody knows yet whether it is the If's.
void leave_undecided(const std::vector<Failures>& batches) {
  for (const Failures& batch : batches) {
    for (Result* result : batch.results) {
      if (result->without_ifs) continue;
      result->verdict = Verdict::not_run;
      result->fault = Fault::none;
      result->reason = "it failed, and the run was interrupted before its siblings were run";
    }
  }
}

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
      std::optional<SiblingRuns> runs;  // one process for many causes: a failure that needs one of its own gets it
      for (std::size_t i = next++; i < batches.size() && !is_stopped(); i = next++) {
        const auto started = Clock::now();
        if (!runs || &runs->adapter() != batches[i].adapter)
          runs.emplace(project, *batches[i].adapter, answers, options.limits);
        runs->begin_cause();
        for (Result* result : batches[i].results) {
          if (!is_stopped()) runs->run(*result, *suite.find(result->vector));
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
  if (is_stopped()) leave_undecided(batches);
  for (const auto& [adapter, span] : spans) {
    certification.wall_times[adapter].sibling_seconds = std::chrono::duration<double>(span.second - span.first).count();
  }
}

}  // namespace ifcert::conformance
