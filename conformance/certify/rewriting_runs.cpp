#include "conformance/certify/rewriting_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/certify/causes.hpp"
#include "conformance/certify/rewriting_check.hpp"
#include "conformance/certify/sampled_rewritings.hpp"
#include "conformance/certify/trial.hpp"

namespace ifcert::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// Passes of one adapter that are run one after the other in one process.
struct Passes {
  const Adapter* adapter;
  std::vector<Result*> results;
};

constexpr std::size_t most_passes = 32;  // so that no thread waits long for the last ones

bool has_rewritings(std::span<const KnownFailures> lists, const Result& result, const Vector& vector) {
  const bool computes = result.verdict == Verdict::pass && result.got.is_null();
  return computes && vector.summary.axis != Axis::diagnoses && vector.unusable.empty() &&
         !is_listed_as_unstable(lists, result);
}

std::vector<Passes> passes_of(const Suite& suite, std::span<const Adapter> adapters,
                              std::span<const KnownFailures> lists, Certification& certification) {
  std::vector<Passes> all;
  for (Result& result : certification.results) {
    if (!has_rewritings(lists, result, *suite.find(result.vector))) continue;
    const Adapter& adapter = *std::ranges::find(adapters, result.adapter, &Adapter::name);
    if (all.empty() || all.back().adapter != &adapter || all.back().results.size() == most_passes)
      all.push_back({&adapter, {}});
    all.back().results.push_back(&result);
  }
  return all;
}

/// What is already known to fail as the first of its process: adapter, rewriting and cause. Threads share it.
class Confirmed {
 public:
  bool contains(const std::string& cause) {
    const std::lock_guard lock(mutex_);
    return causes_.contains(cause);
  }
  void add(const std::string& cause) {
    const std::lock_guard lock(mutex_);
    causes_.insert(cause);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> causes_;
};

RewritingResult result_of(std::string name, const Result& result) {
  return {.name = std::move(name),
          .verdict = result.verdict,
          .fault = result.fault,
          .reason = result.reason,
          .message = own_line(result)};
}

/// "node-names-long + raw-data"
std::string name_of(const RewrittenModel& model) {
  std::string name;
  for (const Rewriting* rewriting : model.rewritings)
    name += fmt::format("{}{}", name.empty() ? "" : between_rewritings, rewriting->name);
  return name;
}

/// Runs rewritings on one adapter.
class RewritingRuns {
 public:
  RewritingRuns(const Project& project, const Adapter& adapter, const Schema& answers,
                const CertificationOptions& options, Confirmed& confirmed)
      : project_(project),
        adapter_(adapter),
        answers_(answers),
        options_(options),
        confirmed_(confirmed),
        session_(fresh_session()) {}

  const Adapter& adapter() const { return adapter_; }

  void run(Result& pass, const Vector& vector) {
    for (const RewrittenModel& model : sampled_rewritings(vector, options_.rewritings)) run(pass, vector, model);
  }

 private:
  /// Where a model with several rewritings fails, each is made alone; what they do together is told only where each
  /// alone passes.
  void run(Result& pass, const Vector& vector, const RewrittenModel& model) {
    Vector made = vector;
    made.files = model.files;
    Result result = try_vector(*session_, made).result;
    if (result.verdict == Verdict::pass) {
      for (const Rewriting* rewriting : model.rewritings)
        pass.rewritings.push_back(result_of(std::string(rewriting->name), result));
      return;
    }
    if (model.rewritings.size() > 1 && !all_pass_alone(pass, vector, model)) return;
    if (!is_same_model(vector, made.files)) return;
    const std::string name = name_of(model);
    if (is_failure(result.verdict)) confirm(result, name, vector, made);
    pass.rewritings.push_back(result_of(name, result));
  }

  bool all_pass_alone(Result& pass, const Vector& vector, const RewrittenModel& model) {
    const std::size_t before = pass.rewritings.size();
    for (const RewrittenModel& alone : made_alone(vector, model.rewritings)) run(pass, vector, alone);
    return std::all_of(pass.rewritings.begin() + static_cast<std::ptrdiff_t>(before), pass.rewritings.end(),
                       [](const RewritingResult& each) { return each.verdict == Verdict::pass; });
  }

  std::unique_ptr<Session> fresh_session() const {
    return std::make_unique<Session>(project_, adapter_, answers_, options_.limits);
  }

  static bool is_same_model(const Vector& vector, const ModelFiles& files) {
    try {
      return OriginalModel(vector).objection(files).empty();
    } catch (const NoSibling&) {
      return false;
    }
  }

  /// Runs the rewritten model again in a process of its own, and the vector's own model after it.
  void confirm(Result& result, const std::string& name, const Vector& vector, const Vector& made) {
    const std::string cause = fmt::format("{} {} {}", adapter_.name, name, cause_of(result));
    if (confirmed_.contains(cause)) return;
    session_ = fresh_session();
    const Result again = try_vector(*session_, made).result;
    const Result own = try_vector(*session_, vector).result;
    const bool same = again.verdict == result.verdict && again.fault == result.fault;
    if (same && own.verdict == Verdict::pass) return confirmed_.add(cause);
    result.reason = fmt::format("in one process {}: {}; as the first of another {}; the vector's own model after it {}",
                                verdict_line(result), result.reason, verdict_line(again), verdict_line(own));
    result.verdict = Verdict::fail;
    result.fault = Fault::unstable;
  }

  const Project& project_;
  const Adapter& adapter_;
  const Schema& answers_;
  const CertificationOptions& options_;
  Confirmed& confirmed_;
  std::unique_ptr<Session> session_;
};

}  // namespace

void run_rewritings(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                    const CertificationOptions& options, Certification& certification) {
  const std::vector<Passes> passes = passes_of(suite, adapters, options.known_failures, certification);
  const Schema answers(project.protocol("answer.schema.json"));
  const auto is_stopped = [&] { return options.interrupted != nullptr && options.interrupted->load(); };
  Confirmed confirmed;
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::map<std::string, std::pair<Clock::time_point, Clock::time_point>> spans;  // by adapter: from start to end
  std::size_t done = 0;                                                          // models
  std::mutex mutex;  // guards the spans, the models and the failure
  std::size_t total = 0;
  for (const Passes& each : passes) total += each.results.size();
  const auto tell = [&](const Result& result) {
    const std::lock_guard lock(mutex);
    if (options.rewriting_progress) options.rewriting_progress(++done, total, result);
  };
  const auto work = [&] {
    try {
      std::optional<RewritingRuns> runs;
      for (std::size_t i = next++; i < passes.size() && !is_stopped(); i = next++) {
        const auto started = Clock::now();
        if (!runs || &runs->adapter() != passes[i].adapter)
          runs.emplace(project, *passes[i].adapter, answers, options, confirmed);
        for (Result* result : passes[i].results) {
          if (is_stopped()) break;
          runs->run(*result, *suite.find(result->vector));
          tell(*result);
        }
        const std::lock_guard lock(mutex);
        auto& [first, last] = spans.try_emplace(passes[i].adapter->name, started, started).first->second;
        first = std::min(first, started);
        last = std::max(last, Clock::now());
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = passes.size();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::max<std::size_t>(options.jobs, 1); ++i) threads.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  for (const auto& [adapter, span] : spans) {
    certification.wall_times[adapter].rewriting_seconds =
        std::chrono::duration<double>(span.second - span.first).count();
  }
}

}  // namespace ifcert::conformance
