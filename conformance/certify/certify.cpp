#include "conformance/certify/certify.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/certify/kept_results.hpp"
#include "conformance/certify/rewriting_runs.hpp"
#include "conformance/certify/sampled_rewritings.hpp"
#include "conformance/certify/scheduler.hpp"
#include "conformance/certify/sibling_runs.hpp"
#include "conformance/certify/twins.hpp"
#include "conformance/suite/kept_words.hpp"
#include "conformance/suite/vector_files.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
}

/// The ids of the vectors of which the adapter has a result that is not run again.
std::set<std::string_view> kept_ids(const Certification* kept, const std::string& adapter) {
  std::set<std::string_view> ids;
  if (kept == nullptr) return ids;
  for (const Result& result : kept->results) {
    if (result.adapter == adapter) ids.insert(result.vector);
  }
  return ids;
}

/// The vectors among these that belong to the adapter's systems and have no result yet, and their twins.
std::vector<const Vector*> vectors_for(const AdapterIdentity& adapter, const Suite& suite,
                                       const std::vector<VectorSummary>& vectors, const Certification* kept) {
  const std::set<std::string_view> done = kept_ids(kept, adapter.name);
  std::set<std::string_view> ids;
  for (const VectorSummary& vector : vectors) {
    if (!in_scope(adapter, vector) || done.contains(vector.id)) continue;
    ids.insert(vector.id);
    if (!vector.twin.empty()) ids.insert(vector.twin);
  }
  std::vector<const Vector*> wanted;
  for (const Vector& vector : suite.vectors) {
    if (ids.contains(vector.summary.id)) wanted.push_back(&vector);
  }
  return wanted;
}

/// Throws Error for an adapter whose systems have no selected vector. The shard does not matter: one of many may
/// have no vector of an adapter.
void require_something_to_run(const Suite& suite, std::span<const Adapter> adapters, const Selection& selection) {
  const std::vector<VectorSummary> whole = selected(summaries(suite), selection);
  for (const Adapter& adapter : adapters) {
    const AdapterIdentity identity = identity_in_manifest(adapter);
    if (std::ranges::any_of(whole, [&](const VectorSummary& vector) { return in_scope(identity, vector); })) continue;
    throw Error(fmt::format("nothing to run on {}: no selected vector belongs to its systems ({})", adapter.name,
                            fmt::join(adapter.systems, ", ")));
  }
}

std::vector<AdapterProgress> progress_of_each(const Suite& suite, std::span<const Adapter> adapters,
                                              const std::vector<VectorSummary>& vectors, const Certification* kept) {
  std::vector<AdapterProgress> all_progress;
  for (const Adapter& adapter : adapters) {
    AdapterProgress progress{
        .adapter = &adapter, .identity = identity_in_manifest(adapter), .vectors = {}, .rounds = {}};
    progress.vectors = vectors_for(progress.identity, suite, vectors, kept);
    progress.rounds.resize(progress.vectors.size());
    all_progress.push_back(std::move(progress));
  }
  return all_progress;
}

void restore_hello(const Journal& journal, AdapterProgress& progress) {
  for (const RecordedHello& recorded : journal.hellos()) {
    if (recorded.adapter != progress.identity.name) continue;
    progress.first_hello->store_if_first(recorded.hello);
    copy_declarations(recorded.hello, progress.identity);
    progress.has_hello = true;
  }
}

/// Restores an adapter's trials from the journal of an interrupted run. Failures that must still be retried become
/// suspects: those that were recorded as suspects, and those that no list of known failures names any more.
void restore_trials(const Journal& journal, std::span<const KnownFailures> lists, AdapterProgress& progress) {
  std::map<std::string_view, std::size_t> index_of;
  for (std::size_t i = 0; i < progress.vectors.size(); ++i) index_of.emplace(progress.vectors[i]->summary.id, i);
  struct Restored {
    const RecordedTrial* last;
    bool is_retry;  // the journal has an earlier trial of this vector and round
  };
  std::map<std::pair<std::size_t, std::size_t>, Restored> all;  // by vector and round
  for (const RecordedTrial& recorded : journal.trials()) {
    const auto vector = index_of.find(recorded.trial.result.vector);
    if (recorded.trial.result.adapter != progress.identity.name || vector == index_of.end()) continue;
    const auto [entry, is_new] = all.try_emplace({vector->second, recorded.round});
    entry->second = {&recorded, !is_new};
    progress.wall_time = recorded.wall_time;
  }
  for (const auto& [key, restored] : all) {
    const auto& [vector, round] = key;
    Trial trial = restored.last->trial;
    trial.twin = progress.vectors[vector]->summary.twin;
    progress.words += words_in(trial.result);
    if (restored.last->is_suspect || (!restored.is_retry && is_suspect(lists, trial.result)))
      progress.suspects.emplace(key, std::move(trial));
    else
      progress.rounds[vector].add(round, std::move(trial));
  }
}

Trial not_run(const Adapter& adapter, const Vector& vector, const char* reason) {
  Trial trial{.result = {}, .twin = vector.summary.twin};
  trial.result.adapter = adapter.name;
  trial.result.vector = vector.summary.id;
  trial.result.rule = vector.summary.rule;
  trial.result.reason = reason;
  return trial;
}

const char* why_not_run(const AdapterProgress& progress, std::size_t vector) {
  const bool awaits_retry =
      std::ranges::any_of(progress.suspects, [vector](const auto& suspect) { return suspect.first.first == vector; });
  return awaits_retry ? "it failed, and the run was interrupted before it was retried in a fresh process"
                      : "the run was interrupted before this vector";
}

/// One trial for each of the adapter's vectors, which combines its rounds.
std::vector<Trial> trials_of(const AdapterProgress& progress, std::size_t rounds) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < progress.vectors.size(); ++i) {
    const bool complete = progress.rounds[i].count() == rounds;
    trials.push_back(complete ? progress.rounds[i].trial()
                              : not_run(*progress.adapter, *progress.vectors[i], why_not_run(progress, i)));
  }
  judge_by_twins(trials, progress.identity.runs_models);
  return trials;
}

/// Throws Error, and marks the journal as unusable, if the vectors' files are no longer those of the manifest: the
/// reports would show other models than those that ran.
void require_same_files(const Project& project, const Suite& suite, const std::vector<AdapterProgress>& all_progress,
                        Journal* journal) {
  std::set<std::string_view> ids;
  for (const AdapterProgress& progress : all_progress) {
    for (const Vector* vector : progress.vectors) {
      if (vector->unusable.empty()) ids.insert(vector->summary.id);
    }
  }
  const std::string changed = changed_since(project, suite.digest, ids);
  if (changed.empty()) return;
  const std::string why = fmt::format("vectors were changed while they were run: {}", changed);
  if (journal != nullptr) journal->mark_unusable(why);
  throw Error(why);
}

/// Throws Error where an adapter that was run is not the one of the kept results; one that was not run is that one.
void join_runtimes(const Certification& kept, std::vector<AdapterProgress>& all_progress) {
  for (AdapterProgress& progress : all_progress) {
    if (progress.has_hello)
      require_same_runtime(kept, progress.identity);
    else
      progress.identity = kept_identity(kept, progress.identity);
  }
}

/// Adds the results of the selected vectors, without those of twins that were not selected or whose result was kept.
void add_results(const AdapterProgress& progress, const CertificationOptions& options, Certification& certification) {
  std::set<std::string_view> ids;
  for (const VectorSummary& vector : certification.vectors) ids.insert(vector.id);
  for (const std::string_view kept : kept_ids(options.kept, progress.identity.name)) ids.erase(kept);
  for (Trial& trial : trials_of(progress, options.repeat)) {
    if (ids.contains(trial.result.vector)) certification.results.push_back(std::move(trial.result));
  }
}

/// Whether every result is ADAPTER: then the run shows nothing about the runtime.
bool is_unjudged(const Certification& certification, const std::string& adapter) {
  bool any = false;
  for (const Result& result : certification.results) {
    if (result.adapter != adapter) continue;
    if (result.verdict != Verdict::adapter) return false;
    any = true;
  }
  return any;
}

}  // namespace

Certification plan_of(const Suite& suite, std::span<const Adapter> adapters, const CertificationOptions& options) {
  require_something_to_run(suite, adapters, options.selection);
  Certification plan;
  plan.manifest_digest = suite.digest;
  plan.started = now();
  plan.selector = options.selection.text();
  plan.shard = options.shard.text();
  plan.limits = {{"timeout_s", std::chrono::duration<double>(options.limits.message).count()},
                 {"start_s", std::chrono::duration<double>(options.limits.start).count()},
                 {"memory_mib", options.limits.memory},
                 {"processor_s", options.limits.seconds},
                 {"repeat", options.repeat},
                 {"strict", options.strict},
                 {"jobs", options.jobs},
                 {"controls", options.controls}};
  if (options.rewritings > 0)
    plan.limits["rewritings"] =
        options.rewritings == all_of_them ? nlohmann::json("all") : nlohmann::json(options.rewritings);
  plan.isolation = isolation(options.limits);
  plan.vectors = selected(summaries(suite), options.selection, options.shard);
  for (const Adapter& adapter : adapters) plan.adapters.push_back(identity_in_manifest(adapter));
  return plan;
}

Certification certify(const Project& project, const Suite& suite, std::span<const Adapter> adapters,
                      const CertificationOptions& options) {
  Certification certification = plan_of(suite, adapters, options);
  std::vector<AdapterProgress> all_progress = progress_of_each(suite, adapters, certification.vectors, options.kept);
  if (options.journal != nullptr) {
    certification.started = options.journal->started();
    for (AdapterProgress& progress : all_progress) {
      restore_hello(*options.journal, progress);
      restore_trials(*options.journal, options.known_failures, progress);
    }
  }
  Scheduler(project, options, all_progress).run();
  require_same_files(project, suite, all_progress, options.journal);
  if (options.kept != nullptr) join_runtimes(*options.kept, all_progress);
  certification.adapters.clear();
  for (const AdapterProgress& progress : all_progress) {
    certification.adapters.push_back(progress.identity);
    certification.wall_times[progress.identity.name] = progress.wall_time;
    add_results(progress, options, certification);
  }
  if (options.controls) run_siblings(project, suite, adapters, options, certification);
  if (options.rewritings > 0) run_rewritings(project, suite, adapters, options, certification);
  if (options.kept != nullptr) add_kept_results(*options.kept, certification);
  for (Result& result : certification.results)
    result.vector_digest = digest_with_twin(suite, *suite.find(result.vector));
  certification.ended = now();
  return certification;
}

int exit_code(const Certification& certification) {
  const bool failed = std::ranges::any_of(certification.results, [](const Result& result) {
    return result.verdict == Verdict::harness || result.verdict == Verdict::not_run;
  });
  if (failed || std::ranges::any_of(certification.adapters, [&](const AdapterIdentity& adapter) {
        return is_unjudged(certification, adapter.name);
      }))
    return 2;
  return certification.breaches.empty() ? 0 : 1;
}

}  // namespace ifcert::conformance
