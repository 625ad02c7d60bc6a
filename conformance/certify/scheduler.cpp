#include "conformance/certify/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "conformance/certify/causes.hpp"
#include "conformance/suite/kept_words.hpp"

namespace ifcert::conformance {
namespace {

/// A vector that took longer is not used as a probe: it might time out. The limit is generous, because the time may
/// include the start of a process.
constexpr double max_probe_milliseconds = 10'000;

/// The trial of a vector that is not sent to the adapter any more.
Trial adapter_said_too_much(const AdapterProgress& progress, const Vector& vector, std::size_t most) {
  Trial trial{.result = {}, .twin = vector.summary.twin};
  trial.result.adapter = progress.identity.name;
  trial.result.vector = vector.summary.id;
  trial.result.rule = vector.summary.rule;
  trial.result.verdict = Verdict::adapter;
  trial.result.reason =
      fmt::format("not run: the adapter's answers to other vectors have more than {} bytes in this run", most);
  return trial;
}

}  // namespace

/// The resources of one thread: the session of its current adapter.
class Scheduler::Worker {
 public:
  explicit Worker(const Scheduler& scheduler) : scheduler_(scheduler) {}

  const Session& session() const { return *session_; }

  Trial first_try(const AdapterProgress& progress, const Vector& vector) {
    if (progress_ != &progress || may_be_damaged_) {
      progress_ = &progress;
      session_.reset();
      session_ = fresh_session(progress);
    }
    const bool was_first = session_->is_fresh();
    Trial trial = attempt(*session_, progress, vector);
    // Earlier vectors may have used up the memory or the processor time: the session starts a fresh process, and this
    // vector is tried again in it.
    if (trial.may_be_due_to_earlier_vectors && !was_first) trial = attempt(*session_, progress, vector);
    // What takes memory without end meets the limit on time first where the machine is busy.
    const bool takes_all = trial.result.verdict == Verdict::memory || trial.result.verdict == Verdict::timeout;
    if (takes_all && vector.summary.axis == Axis::diagnoses)
      trial = refused_memory(progress, vector).value_or(std::move(trial));
    // A vector that is listed as unstable may have written to memory that the next one would use.
    may_be_damaged_ = is_listed_as_unstable(scheduler_.options_.known_failures, trial.result);
    return trial;
  }

  /// Retries a batch of suspects, which failed for one cause, in a fresh process; a new process is started whenever a
  /// probe shows that the current one is damaged. A suspect that is the first vector of its process is settled at
  /// once. Any other is unstable if it passes, and otherwise waits. In the end, if every suspect failed again for the
  /// batch's cause, those that wait are recorded as confirmed by the first of the batch. If not, they are retried
  /// alone, each in a fresh process.
  ///
  /// Calls `record` with each suspect as soon as it is settled. Once the run is stopped, no other vector is run.
  void retry(const AdapterProgress& progress, Batch& batch, const std::function<void(const Suspect&)>& record) const {
    std::unique_ptr<Session> session = fresh_session(progress);
    std::vector<Suspect*> waiting;
    bool all_fail_alike = true;
    for (Suspect& suspect : batch) {
      if (scheduler_.is_stopped()) return;
      if (!session->is_fresh() && is_damaged(*session, progress, suspect)) session = fresh_session(progress);
      if (scheduler_.is_stopped()) return;  // while the probe ran
      const bool was_first = session->is_fresh();
      const Result again = attempt(*session, progress, *progress.vectors[suspect.vector]).result;
      all_fail_alike = all_fail_alike && fail_alike(suspect.trials.front().result, again);
      if (was_first) {
        settle_by_first_vector(suspect, again);
        record(suspect);
      } else if (again.verdict == Verdict::pass) {
        mark_unstable(suspect, again, was_first);
        record(suspect);
      } else {
        waiting.push_back(&suspect);
      }
    }
    const std::string first = progress.vectors[batch.front().vector]->summary.id;
    for (Suspect* suspect : waiting) {
      if (scheduler_.is_stopped()) return;
      all_fail_alike ? confirm(*suspect, first) : retry_alone(progress, *suspect);
      record(*suspect);
    }
  }

 private:
  /// Tries a vector, unless the adapter has said more than it may in one run.
  Trial attempt(Session& session, const AdapterProgress& progress, const Vector& vector) const {
    const std::size_t most = scheduler_.options_.limits.run_answers;
    if (*progress.bytes > most) return adapter_said_too_much(progress, vector, most);
    Trial trial = try_vector(session, vector);
    *progress.bytes += trial.bytes;
    return trial;
  }

  /// The trial of an illegal model in a process whose address space has a limit, if the model is refused there. A
  /// machine that gives all the memory that is asked for would hide that the runtime can say no. Some runtimes reserve
  /// more addresses than they use, and do not start within the first limits.
  std::optional<Trial> refused_memory(const AdapterProgress& progress, const Vector& vector) const {
    Limits limits = scheduler_.options_.limits;
    for (const std::size_t addresses : {limits.memory / 4, limits.memory, limits.memory * 4}) {
      limits.addresses = addresses;
      Trial trial = attempt(*fresh_session(progress, limits), progress, vector);
      if (trial.by_refusal) return trial;
      if (trial.result.verdict == Verdict::timeout) break;  // it waits for something else
    }
    return std::nullopt;
  }

  bool is_damaged(Session& session, const AdapterProgress& progress, const Suspect& suspect) const {
    return suspect.probe &&
           attempt(session, progress, *progress.vectors[*suspect.probe]).result.verdict != Verdict::pass;
  }

  static void confirm(Suspect& suspect, const std::string& by) {
    for (Trial& trial : suspect.trials) trial.result.confirmed_by = by;
  }

  /// `again`: the suspect's result as the first vector of a fresh process. If it is inconclusive, the suspect keeps
  /// its earlier result, unconfirmed. Otherwise the suspect is confirmed if `again` has the same verdict and fault, and
  /// is unstable if not.
  static void settle_by_first_vector(Suspect& suspect, const Result& again) {
    const Result& result = suspect.trials.front().result;
    if (is_inconclusive(again.verdict)) return;
    const bool same = again.verdict == result.verdict && again.fault == result.fault;
    same ? confirm(suspect, result.vector) : mark_unstable(suspect, again, true);
  }

  static void mark_unstable(Suspect& suspect, const Result& again, bool was_first) {
    for (Trial& trial : suspect.trials) make_unstable(trial, again, was_first);
  }

  void retry_alone(const AdapterProgress& progress, Suspect& suspect) const {
    settle_by_first_vector(suspect,
                           attempt(*fresh_session(progress), progress, *progress.vectors[suspect.vector]).result);
  }

  std::unique_ptr<Session> fresh_session(const AdapterProgress& progress) const {
    return fresh_session(progress, scheduler_.options_.limits);
  }

  std::unique_ptr<Session> fresh_session(const AdapterProgress& progress, const Limits& limits) const {
    return std::make_unique<Session>(scheduler_.project_, *progress.adapter, scheduler_.answers_, limits,
                                     progress.first_hello.get());
  }

  const Scheduler& scheduler_;
  const AdapterProgress* progress_ = nullptr;
  std::unique_ptr<Session> session_;
  bool may_be_damaged_ = false;  // the last vector is listed as unstable
};

Scheduler::Scheduler(const Project& project, const CertificationOptions& options,
                     std::vector<AdapterProgress>& all_progress)
    : project_(project),
      options_(options),
      all_progress_(all_progress),
      answers_(project.protocol("answer.schema.json")) {
  list_tries();
}

void Scheduler::list_tries() {
  for (std::size_t adapter = 0; adapter < all_progress_.size(); ++adapter) {
    for (std::size_t round = 1; round <= options_.repeat; ++round) {
      for (std::size_t vector = 0; vector < all_progress_[adapter].vectors.size(); ++vector) {
        ++total_;
        if (all_progress_[adapter].rounds[vector].has(round) ||
            all_progress_[adapter].suspects.contains({vector, round}))
          continue;
        tries_.push_back({adapter, vector, round});
      }
    }
  }
  done_ = total_ - tries_.size();
}

/// The vectors that can serve as probes: those that the adapter computed right, and quickly. One that a list names as
/// unstable cannot: it may damage the process.
std::vector<Probe> Scheduler::eligible_probes(const AdapterProgress& progress) const {
  std::vector<Probe> probes;
  for (std::size_t vector = 0; vector < progress.vectors.size(); ++vector) {
    if (progress.rounds[vector].count() == 0) continue;
    const Trial trial = progress.rounds[vector].trial();
    const bool is_quick = trial.result.milliseconds < max_probe_milliseconds;
    const bool is_unstable = is_listed_as_unstable(options_.known_failures, trial.result);
    if (trial.result.verdict == Verdict::pass && trial.loaded && !trial.by_refusal && is_quick && !is_unstable)
      probes.push_back({vector, progress.vectors[vector]->summary.rule});
  }
  return probes;
}

/// Lists the suspects in batches. Rounds of a vector that failed in the same way are one suspect.
void Scheduler::list_retries() {
  for (std::size_t adapter = 0; adapter < all_progress_.size(); ++adapter) {
    const std::vector<Probe> probes = eligible_probes(all_progress_[adapter]);
    std::vector<Suspect> suspects;
    for (const auto& [key, trial] : all_progress_[adapter].suspects) {
      const auto& [vector, round] = key;
      const auto same = std::ranges::find_if(suspects, [&](const Suspect& suspect) {
        return suspect.vector == vector && fail_alike(suspect.trials.front().result, trial.result);
      });
      Suspect& suspect = same == suspects.end() ? suspects.emplace_back(Suspect{vector, {}, {}}) : *same;
      suspect.probe = probe_of(vector, all_progress_[adapter].vectors[vector]->summary.rule, probes);
      suspect.rounds.push_back(round);
      suspect.trials.push_back(trial);
    }
    suspected_ += suspects.size();
    for (Batch& batch : batches_of(std::move(suspects))) retries_.push_back({adapter, std::move(batch)});
  }
}

void Scheduler::run() {
  stopwatches_.clear();
  for (const AdapterProgress& progress : all_progress_)
    stopwatches_.push_back({.earlier_seconds = progress.wall_time.seconds});
  in_threads(tries_.size(), [this](Worker& worker, std::size_t index) {
    const Try& tried = tries_[index];
    const AdapterProgress& progress = all_progress_[tried.adapter];
    const auto start = Clock::now();
    Trial trial = worker.first_try(progress, *progress.vectors[tried.vector]);
    record_try(tried, std::move(trial), worker.session(), start);
  });
  if (is_stopped()) return;
  list_retries();
  stopwatches_.clear();
  for (const AdapterProgress& progress : all_progress_)
    stopwatches_.push_back({.earlier_seconds = progress.wall_time.retry_seconds});
  in_threads(retries_.size(), [this](const Worker& worker, std::size_t index) {
    const auto start = Clock::now();
    auto& [adapter, batch] = retries_[index];
    worker.retry(all_progress_[adapter], batch, [&](const Suspect& settled) { record_retry(adapter, settled, start); });
  });
}

/// Calls `work` once for each index below `count`, in as many threads as there are jobs. Stops early when the run is
/// interrupted or a thread throws, and rethrows that thread's exception.
void Scheduler::in_threads(std::size_t count, const std::function<void(Worker&, std::size_t)>& work) {
  next_ = 0;
  const auto work_until_done = [&] {
    Worker worker(*this);
    try {
      for (std::size_t next = next_++; next < count && !is_stopped(); next = next_++) work(worker, next);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t jobs = std::min(std::max<std::size_t>(options_.jobs, 1), count);
    for (std::size_t i = 0; i < jobs; ++i) threads.emplace_back(work_until_done);
  }
  if (failure_) std::rethrow_exception(failure_);
}

double Scheduler::elapsed_seconds(std::size_t adapter, Clock::time_point start) {
  Stopwatch& stopwatch = stopwatches_[adapter];
  stopwatch.first_start = std::min(stopwatch.first_start, start);
  return stopwatch.earlier_seconds + std::chrono::duration<double>(Clock::now() - stopwatch.first_start).count();
}

void Scheduler::record_try(const Try& tried, Trial trial, const Session& session, Clock::time_point start) {
  const std::lock_guard lock(mutex_);
  AdapterProgress& progress = all_progress_[tried.adapter];
  record_hello(progress, session);
  progress.wall_time.seconds = elapsed_seconds(tried.adapter, start);
  keep_words(progress, trial.result, 0);
  const bool suspect = is_suspect(options_.known_failures, trial.result);
  // HARNESS (damaged files) is not recorded, so that a resumed run tries the vector again: by then the files may have
  // been repaired.
  if (options_.journal != nullptr && trial.result.verdict != Verdict::harness)
    options_.journal->add({tried.round, trial, progress.wall_time, suspect});
  if (options_.progress) options_.progress(++done_, total_, trial.result);
  if (suspect)
    progress.suspects.emplace(std::pair(tried.vector, tried.round), std::move(trial));
  else
    progress.rounds[tried.vector].add(tried.round, std::move(trial));
}

void Scheduler::record_retry(std::size_t adapter, const Suspect& settled, Clock::time_point start) {
  const std::lock_guard lock(mutex_);
  AdapterProgress& progress = all_progress_[adapter];
  progress.wall_time.retry_seconds = elapsed_seconds(adapter, start);
  for (std::size_t i = 0; i < settled.rounds.size(); ++i) {
    const std::size_t round = settled.rounds[i];
    Trial trial = settled.trials[i];
    keep_words(progress, trial.result, words_in(progress.suspects.at({settled.vector, round}).result));
    if (options_.journal != nullptr) options_.journal->add({round, trial, progress.wall_time});
    progress.suspects.erase({settled.vector, round});
    progress.rounds[settled.vector].add(round, std::move(trial));
  }
  if (options_.retry_progress) options_.retry_progress(++settled_, suspected_, settled.trials.front().result);
}

/// Drops the words of a result when the words of the adapter's results have reached their limit. `before`: how many
/// bytes of words this result has already.
void Scheduler::keep_words(AdapterProgress& progress, Result& result, std::size_t before) const {
  const std::size_t limit = options_.limits.run_words;
  progress.words -= before;
  const std::size_t left = limit - std::min(progress.words, limit);
  progress.words += keep_within(result, std::max(left, before));
}

void Scheduler::record_hello(AdapterProgress& progress, const Session& session) {
  if (progress.has_hello || session.formats().empty()) return;
  progress.has_hello = true;
  progress.identity = session.identity();
  if (options_.journal != nullptr)
    options_.journal->add(RecordedHello{progress.identity.name, progress.first_hello->get()});
}

}  // namespace ifcert::conformance
