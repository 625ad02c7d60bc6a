#include "conformance/certify.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "conformance/error.hpp"
#include "conformance/trial.hpp"
#include "conformance/twins.hpp"

namespace ifcert::conformance {
namespace {

/// One adapter's share: the vectors it is tried on and what came of them, in the manifest's order.
struct Share {
  const Adapter* adapter;
  AdapterIdentity identity;
  std::vector<const Vector*> vectors;
  std::vector<Trial> trials;
};

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
}

/// Selected vectors of the adapter's systems, and the twins they need.
std::vector<const Vector*> vectors_for(const Adapter& adapter, const Suite& suite, const Selection& selection) {
  std::set<std::string_view> ids;
  for (const Vector& vector : suite.vectors) {
    if (!selection.selects(vector.summary)) continue;
    if (std::ranges::find(adapter.systems, vector.summary.system) == adapter.systems.end()) continue;
    ids.insert(vector.summary.id);
    if (!vector.summary.twin.empty()) ids.insert(vector.summary.twin);
  }
  std::vector<const Vector*> vectors;
  for (const Vector& vector : suite.vectors) {
    if (ids.contains(vector.summary.id)) vectors.push_back(&vector);
  }
  if (vectors.empty()) {
    throw Error(fmt::format("nothing to run on {}: no selected vector is of its systems ({})", adapter.name,
                            fmt::join(adapter.systems, ", ")));
  }
  return vectors;
}

/// The work of all adapters, handed out one vector at a time.
class Work {
 public:
  Work(const Project& project, const Order& order, std::vector<Share>& shares)
      : project_(project), order_(order), shares_(shares), answers_(project.protocol("answer.schema.json")) {
    for (std::size_t share = 0; share < shares.size(); ++share) {
      for (std::size_t vector = 0; vector < shares[share].vectors.size(); ++vector) items_.emplace_back(share, vector);
    }
  }

  /// Runs to the end; throws what a worker threw.
  void run() {
    {
      std::vector<std::jthread> workers;
      const std::size_t count = std::clamp<std::size_t>(order_.jobs, 1, items_.size());
      for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    std::unique_ptr<Session> session;
    const Share* current = nullptr;
    try {
      for (std::size_t item = next_++; item < items_.size() && !stopped(); item = next_++) {
        const auto [share, vector] = items_[item];
        if (current != &shares_[share]) {
          current = &shares_[share];
          session.reset();
          session = std::make_unique<Session>(project_, *current->adapter, answers_, order_.limits);
        }
        finish(shares_[share], vector, try_vector(*session, *current->vectors[vector]), *session);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  bool stopped() const { return failed_ || (order_.interrupted != nullptr && order_.interrupted->load()); }

  void finish(Share& share, std::size_t vector, Trial trial, const Session& session) {
    const std::lock_guard lock(mutex_);
    if (!session.formats().empty()) share.identity = session.identity();
    share.trials[vector] = std::move(trial);
    if (order_.progress) order_.progress(++done_, items_.size(), share.trials[vector].result);
  }

  const Project& project_;
  const Order& order_;
  std::vector<Share>& shares_;
  Schema answers_;
  std::vector<std::pair<std::size_t, std::size_t>> items_;  // (share, vector)
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // of what follows, and of the shares
  std::exception_ptr failure_;
  std::size_t done_ = 0;
};

Trial not_run_yet(const Adapter& adapter, const Vector& vector) {
  Trial trial{.result = {}, .twin = vector.summary.twin};
  trial.result.adapter = adapter.name;
  trial.result.vector = vector.summary.id;
  trial.result.rule = vector.summary.rule;
  trial.result.reason = "the run was interrupted before this vector";
  return trial;
}

std::vector<Share> shares_of(const Suite& suite, std::span<const Adapter> adapters, const Selection& selection) {
  std::vector<Share> shares;
  for (const Adapter& adapter : adapters) {
    Share share{&adapter, identity_in_manifest(adapter), vectors_for(adapter, suite, selection), {}};
    for (const Vector* vector : share.vectors) share.trials.push_back(not_run_yet(adapter, *vector));
    shares.push_back(std::move(share));
  }
  return shares;
}

void require_matches(const Suite& suite, const Selection& selection) {
  const std::vector<VectorSummary> all = summaries(suite);
  if (const auto idle = selection.idle(all); !idle.empty()) {
    throw Error(fmt::format("{} matches none of the {} vectors", idle.front(), all.size()));
  }
  if (std::ranges::none_of(all, [&](const VectorSummary& vector) { return selection.selects(vector); })) {
    throw Error(fmt::format("{} together match none of the {} vectors", selection.text(), all.size()));
  }
}

}  // namespace

Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const Order& order) {
  require_matches(suite, order.selection);
  Certification certification;
  certification.manifest_digest = suite.digest;
  certification.started = now();
  certification.selector = order.selection.text();
  certification.limits = {{"timeout_s", std::chrono::duration<double>(order.limits.message).count()},
                          {"start_s", std::chrono::duration<double>(order.limits.start).count()},
                          {"memory_mib", order.limits.memory},
                          {"jobs", order.jobs}};
  certification.isolation = isolation(order.limits);
  std::vector<Share> shares = shares_of(suite, adapters, order.selection);
  Work(project, order, shares).run();
  for (const Vector& vector : suite.vectors) {
    if (order.selection.selects(vector.summary)) certification.vectors.push_back(vector.summary);
  }
  for (Share& share : shares) {
    settle_twins(share.trials, share.identity.computes);
    for (std::size_t i = 0; i < share.trials.size(); ++i) {
      if (!order.selection.selects(share.vectors[i]->summary)) continue;
      certification.results.push_back(std::move(share.trials[i].result));
    }
    certification.adapters.push_back(share.identity);
  }
  certification.ended = now();
  return certification;
}

int exit_code(const Certification& certification) {
  const bool failed = std::ranges::any_of(certification.results, [](const Result& result) {
    return result.verdict == Verdict::harness || result.verdict == Verdict::not_run;
  });
  if (failed) return 2;
  return certification.breaches.empty() ? 0 : 1;
}

}  // namespace ifcert::conformance
