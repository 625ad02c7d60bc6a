#include "conformance/scheduler.hpp"

#include <algorithm>
#include <thread>

#include "conformance/causes.hpp"

namespace ifcert::conformance {
namespace {

/// Milliseconds, including the start of a process: a vector that nearly hangs is not used as a control.
constexpr double longest_control = 10'000;

}  // namespace

/// The resources of one thread: the session of its current adapter.
class Scheduler::Worker {
 public:
  explicit Worker(const Scheduler& scheduler) : scheduler_(scheduler) {}

  const Session& session() const { return *session_; }

  Trial attempt(const Share& share, const Vector& vector) {
    if (share_ != &share) {
      share_ = &share;
      session_.reset();
      session_ = fresh_session(share);
      used_ = false;
    }
    Trial trial = try_vector(*session_, vector);
    if (trial.over_lifetime_limit && used_) trial = try_vector(*session_, vector);  // in a fresh process
    used_ = !trial.ended;
    return trial;
  }

  /// Retries a batch of failures in one fresh process, and in another as soon as a control shows that it is damaged.
  /// The first suspect runs alone. If it fails again, later suspects that fail the same way are confirmed by it. One
  /// that passes is unstable. If any suspect passes or fails in another way, the others are each retried as the first
  /// one of a fresh process.
  void try_again(const Share& share, Batch& batch) const {
    std::unique_ptr<Session> session = fresh_session(share);
    std::vector<Suspect*> after_another;
    std::vector<Suspect*> open;
    const Suspect* representative = nullptr;
    bool fresh = true;
    for (Suspect& suspect : batch) {
      if (!fresh && is_damaged(*session, share, suspect)) {
        session = fresh_session(share);
        fresh = true;
      }
      const Trial again = try_vector(*session, *share.vectors[suspect.vector]);
      const bool alone = std::exchange(fresh, again.ended);
      const bool alike = fail_alike(suspect.trials.front().result, again.result);
      if (alone)
        settle_alone(suspect, again.result);
      else if (again.result.verdict == Verdict::pass)
        mark_unstable(suspect, again.result, alone);
      else if (alike && representative != nullptr)
        after_another.push_back(&suspect);
      else
        open.push_back(&suspect);
      if (alone && alike && representative == nullptr) representative = &suspect;
    }
    const bool one_cause = open.empty() && std::ranges::none_of(batch, is_unstable);
    for (Suspect* suspect : after_another) {
      if (one_cause) confirm(*suspect, representative->trials.front().result.vector);
      if (!one_cause) open.push_back(suspect);
    }
    for (Suspect* suspect : open) try_alone(share, *suspect);
  }

 private:
  static bool is_unstable(const Suspect& suspect) { return suspect.trials.front().result.fault == Fault::unstable; }

  static bool is_damaged(Session& session, const Share& share, const Suspect& suspect) {
    return suspect.control && try_vector(session, *share.vectors[*suspect.control]).result.verdict != Verdict::pass;
  }

  static void confirm(Suspect& suspect, const std::string& by) {
    for (Trial& trial : suspect.trials) trial.result.confirmed_by = by;
  }

  /// Settles a suspect by the result that it had as the first vector of a fresh process. After ADAPTER, HARNESS or
  /// NOT-RUN it keeps its first result, unconfirmed.
  static void settle_alone(Suspect& suspect, const Result& again) {
    const Result& result = suspect.trials.front().result;
    if (says_nothing_of_the_runtime(again.verdict)) return;
    const bool same = again.verdict == result.verdict && again.fault == result.fault;
    same ? confirm(suspect, result.vector) : mark_unstable(suspect, again, true);
  }

  static void mark_unstable(Suspect& suspect, const Result& again, bool alone) {
    for (Trial& trial : suspect.trials) make_unstable(trial, again, alone);
  }

  void try_alone(const Share& share, Suspect& suspect) const {
    settle_alone(suspect, try_vector(*fresh_session(share), *share.vectors[suspect.vector]).result);
  }

  std::unique_ptr<Session> fresh_session(const Share& share) const {
    return std::make_unique<Session>(scheduler_.project_, *share.adapter, scheduler_.answers_, scheduler_.order_.limits,
                                     share.first_hello.get());
  }

  const Scheduler& scheduler_;
  const Share* share_ = nullptr;
  std::unique_ptr<Session> session_;
  bool used_ = false;  // the session's process has already run a vector
};

Scheduler::Scheduler(const Project& project, const Order& order, std::vector<Share>& shares)
    : project_(project), order_(order), shares_(shares), answers_(project.protocol("answer.schema.json")) {
  list_items();
}

void Scheduler::list_items() {
  for (std::size_t share = 0; share < shares_.size(); ++share) {
    for (std::size_t round = 1; round <= order_.repeat; ++round) {
      for (std::size_t vector = 0; vector < shares_[share].vectors.size(); ++vector) {
        ++total_;
        if (shares_[share].rounds[vector].has(round) || shares_[share].suspects.contains({vector, round})) continue;
        items_.push_back({share, vector, round});
      }
    }
  }
  done_ = total_ - items_.size();
}

std::vector<std::pair<std::size_t, std::string_view>> Scheduler::passed(const Share& share) {
  std::vector<std::pair<std::size_t, std::string_view>> passed;
  for (std::size_t vector = 0; vector < share.vectors.size(); ++vector) {
    if (share.rounds[vector].count() == 0) continue;
    const Trial trial = share.rounds[vector].trial();
    const bool goes_on = trial.result.milliseconds < longest_control;
    if (trial.result.verdict == Verdict::pass && trial.loaded && !trial.by_refusal && goes_on)
      passed.emplace_back(vector, share.vectors[vector]->summary.rule);
  }
  return passed;
}

/// Lists the suspects in batches. Rounds of a vector that failed in the same way are one suspect.
void Scheduler::list_retries() {
  for (std::size_t share = 0; share < shares_.size(); ++share) {
    const auto controls = passed(shares_[share]);
    std::vector<Suspect> suspects;
    for (auto& [key, trial] : shares_[share].suspects) {
      const auto& [vector, round] = key;
      const auto same = std::ranges::find_if(suspects, [&](const Suspect& suspect) {
        return suspect.vector == vector && fail_alike(suspect.trials.front().result, trial.result);
      });
      Suspect& suspect = same == suspects.end() ? suspects.emplace_back(Suspect{vector, {}, {}}) : *same;
      suspect.control = control_of(vector, shares_[share].vectors[vector]->summary.rule, controls);
      suspect.rounds.push_back(round);
      suspect.trials.push_back(std::move(trial));
    }
    suspected_ += suspects.size();
    for (Batch& batch : batches_of(std::move(suspects))) retries_.push_back({share, std::move(batch)});
  }
}

void Scheduler::run() {
  watches_.clear();
  for (const Share& share : shares_) watches_.push_back({.before = share.effort.seconds});
  in_threads(items_.size(), [this](Worker& worker, std::size_t piece) {
    const Item& item = items_[piece];
    const Share& share = shares_[item.share];
    const auto begun = Clock::now();
    Trial trial = worker.attempt(share, *share.vectors[item.vector]);
    finish(item, std::move(trial), worker.session(), begun);
  });
  if (stopped()) return;
  list_retries();
  watches_.clear();
  for (const Share& share : shares_) watches_.push_back({.before = share.effort.confirming_seconds});
  in_threads(retries_.size(), [this](const Worker& worker, std::size_t piece) {
    const auto begun = Clock::now();
    worker.try_again(shares_[retries_[piece].share], retries_[piece].batch);
    settle(retries_[piece], begun);
  });
}

/// Handles each piece once, in as many threads as there are jobs. Stops early when interrupted, or when a thread
/// throws; then rethrows the exception.
void Scheduler::in_threads(std::size_t pieces, const std::function<void(Worker&, std::size_t)>& work) {
  next_ = 0;
  const auto take_pieces = [&] {
    Worker worker(*this);
    try {
      for (std::size_t next = next_++; next < pieces && !stopped(); next = next_++) work(worker, next);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t count = std::min(std::max<std::size_t>(order_.jobs, 1), pieces);
    for (std::size_t i = 0; i < count; ++i) workers.emplace_back(take_pieces);
  }
  if (failure_) std::rethrow_exception(failure_);
}

/// Whether a result is retried: a failure, unless the adapter itself failed or a list already names the failure.
/// LENIENT is not a failure.
bool Scheduler::is_suspect(const Result& result) const {
  return is_failure(result.verdict) && result.verdict != Verdict::adapter &&
         !is_as_listed(order_.known_failures, result);
}

double Scheduler::spent(std::size_t share, Clock::time_point begun) {
  Watch& watch = watches_[share];
  watch.begin = std::min(watch.begin, begun);
  return watch.before + std::chrono::duration<double>(Clock::now() - watch.begin).count();
}

void Scheduler::finish(const Item& item, Trial trial, const Session& session, Clock::time_point begun) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_[item.share];
  greet(share, session);
  share.effort.seconds = spent(item.share, begun);
  const bool unconfirmed = is_suspect(trial.result);
  // HARNESS (damaged files) is not recorded: a resumed run tries the vector again; by then the files may have been
  // repaired.
  if (order_.journal != nullptr && trial.result.verdict != Verdict::harness)
    order_.journal->add({item.round, trial, share.effort, unconfirmed});
  if (order_.progress) order_.progress(++done_, total_, trial.result);
  if (unconfirmed)
    share.suspects.emplace(std::pair(item.vector, item.round), std::move(trial));
  else
    share.rounds[item.vector].add(item.round, std::move(trial));
}

void Scheduler::settle(Retry& retry, Clock::time_point begun) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_[retry.share];
  share.effort.confirming_seconds = spent(retry.share, begun);
  for (Suspect& suspect : retry.batch) {
    if (order_.confirming) order_.confirming(++confirmed_, suspected_, suspect.trials.front().result);
    for (std::size_t i = 0; i < suspect.rounds.size(); ++i) {
      if (order_.journal != nullptr) order_.journal->add({suspect.rounds[i], suspect.trials[i], share.effort});
      share.rounds[suspect.vector].add(suspect.rounds[i], std::move(suspect.trials[i]));
    }
  }
}

void Scheduler::greet(Share& share, const Session& session) {
  if (share.greeted || session.formats().empty()) return;
  share.greeted = true;
  share.identity = session.identity();
  if (order_.journal != nullptr) order_.journal->add(Greeting{share.identity.name, share.first_hello->get()});
}

}  // namespace ifcert::conformance
