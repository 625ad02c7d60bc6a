#include "conformance/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace ifcert::conformance {
namespace {

void make_unstable(Result& warm) {
  warm.reason = fmt::format("after other vectors in one process {}: {}; in a fresh process it passes",
                            verdict_line(warm), warm.reason);
  warm.fault = Fault::unstable;
}

}  // namespace

/// What one thread works with: the session of the adapter at hand.
class Work::Worker {
 public:
  explicit Worker(const Work& work) : work_(work) {}

  const Session& session() const { return *session_; }

  Trial attempt(const Share& share, const Vector& vector) {
    if (share_ != &share) {
      share_ = &share;
      session_.reset();
      session_ = fresh_session();
      used_ = false;
    }
    Trial trial = try_vector(*session_, vector);
    if (trial.added_up && used_) trial = try_vector(*session_, vector);  // in a fresh process
    const bool used = std::exchange(used_, !trial.ended);
    if (used) hold_against_a_fresh_process(trial, vector);
    return trial;
  }

 private:
  /// A failure that is not as listed may be what an earlier vector has left behind in the process. Leniency accuses
  /// nobody, so it is not tried again.
  void hold_against_a_fresh_process(Trial& trial, const Vector& vector) const {
    if (trial.result.verdict != Verdict::fail) return;
    if (is_as_listed(work_.order_.known_failures, trial.result)) return;
    const std::unique_ptr<Session> fresh = fresh_session();
    if (try_vector(*fresh, vector).result.verdict == Verdict::pass) make_unstable(trial.result);
  }

  std::unique_ptr<Session> fresh_session() const {
    return std::make_unique<Session>(work_.project_, *share_->adapter, work_.answers_, work_.order_.limits);
  }

  const Work& work_;
  const Share* share_ = nullptr;
  std::unique_ptr<Session> session_;
  bool used_ = false;  // the session's process has had a vector before
};

Work::Work(const Project& project, const Order& order, std::vector<Share>& shares)
    : project_(project), order_(order), shares_(shares), answers_(project.protocol("answer.schema.json")) {
  list_items();
}

void Work::list_items() {
  for (std::size_t share = 0; share < shares_.size(); ++share) {
    for (std::size_t round = 1; round <= order_.repeat; ++round) {
      for (std::size_t vector = 0; vector < shares_[share].vectors.size(); ++vector) {
        ++total_;
        if (!shares_[share].rounds[vector].has(round)) items_.push_back({share, vector, round});
      }
    }
  }
  done_ = total_ - items_.size();
}

void Work::run() {
  {
    std::vector<std::jthread> workers;
    const std::size_t count = std::min(std::max<std::size_t>(order_.jobs, 1), items_.size());
    for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
  }
  if (failure_) std::rethrow_exception(failure_);
}

void Work::work() {
  Worker worker(*this);
  try {
    for (std::size_t next = next_++; next < items_.size() && !stopped(); next = next_++) {
      const Item& item = items_[next];
      const Share& share = shares_[item.share];
      Trial trial = worker.attempt(share, *share.vectors[item.vector]);
      finish(item, std::move(trial), worker.session());
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    failed_ = true;
  }
}

void Work::finish(const Item& item, Trial trial, const Session& session) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_[item.share];
  greet(share, session);
  // A vector whose files are spoilt costs nothing to look at again, and may be mended by then.
  if (order_.journal != nullptr && trial.result.verdict != Verdict::harness) order_.journal->add({item.round, trial});
  if (order_.progress) order_.progress(++done_, total_, trial.result);
  share.rounds[item.vector].add(item.round, std::move(trial));
}

void Work::greet(Share& share, const Session& session) {
  if (share.greeted || session.formats().empty()) return;
  share.greeted = true;
  share.identity = session.identity();
  if (order_.journal != nullptr) order_.journal->add(share.identity);
}

}  // namespace ifcert::conformance
