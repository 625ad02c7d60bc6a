#include "conformance/fuzz/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "conformance/fuzz/settle.hpp"
#include "conformance/suite/format_name.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using Clock = std::chrono::steady_clock;

namespace {

/// How many bytes of an adapter's words the journal has for each case: of its fault, and of the cause of a failure.
constexpr std::size_t max_trouble = 300;
constexpr std::size_t max_cause = 1000;

/// The formats that hello declares and the manifest does not exclude.
std::vector<Format> formats_of(const Session& session, const Adapter& adapter) {
  std::vector<Format> formats;
  for (const std::string& name : session.formats()) {
    const auto format = format_named(name);
    const bool wanted = adapter.systems.empty() || std::ranges::count(adapter.systems, name) > 0;
    if (format && wanted) formats.push_back(*format);
  }
  if (formats.empty()) throw Error(fmt::format("{} reads no format that can be generated", adapter.name));
  return formats;
}

class Campaigner {
 public:
  Campaigner(const Project& project, const Adapter& adapter, const FuzzOrder& order)
      : order_(order),
        answers_(project.protocol("answer.schema.json")),
        target_{project, adapter, answers_, order.limits, &first_hello_} {}

  Campaign run(const std::filesystem::path& file);

 private:
  nlohmann::ordered_json settings() const;
  void try_seeds();
  SeedOutcome outcome_of(Prober& prober, std::uint64_t seed) const;
  std::vector<const FuzzFailure*> examples_to_settle(const std::vector<FailureGroup>& groups) const;
  void settle_examples(const std::vector<const FuzzFailure*>& chosen);
  void in_threads(std::size_t pieces, const std::function<bool(Prober&, std::size_t)>& work);
  bool stopped() const { return failed_ || (order_.interrupted != nullptr && order_.interrupted->load()); }
  Format format_of(std::uint64_t seed) const { return formats_[seed % formats_.size()]; }
  void tell(std::size_t done, std::size_t total, const std::string& what) const {
    if (order_.progress) order_.progress(done, total, what);
  }

  const FuzzOrder& order_;
  Schema answers_;
  FirstHello first_hello_;
  FuzzTarget target_;
  std::vector<Format> formats_;
  std::mutex mutex_;  // guards the members below
  std::optional<FuzzJournal> journal_;
  std::map<std::uint64_t, SeedOutcome> outcomes_;
  FuzzExamples examples_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
};

/// Everything that the outcomes depend on. The digest of a few generated models is included, so that a journal that
/// another version of the generator began is not continued.
nlohmann::ordered_json Campaigner::settings() const {
  std::string models;
  for (std::uint64_t seed = order_.seed; seed < order_.seed + 4; ++seed) {
    for (const FuzzCase& each : cases_of(seed, format_of(seed), order_.kinds).cases)
      models += each.kind + " " + each.vector.files.folder + "\n";
  }
  return {{"adapter", target_.adapter.name},
          {"manifest", target_.adapter.digest},
          {"hello", first_hello_.get()},
          {"seed", order_.seed},
          {"relations", order_.kinds.relations},
          {"timeout_s", std::chrono::duration<double>(order_.limits.message).count()},
          {"examples", order_.examples},
          {"models", sha256(models)}};
}

Campaign Campaigner::run(const std::filesystem::path& file) {
  Campaign campaign;
  {
    Prober prober(target_);
    const Session& session = prober.greeted();
    campaign.adapter = session.identity();
    formats_ = formats_of(session, target_.adapter);
  }
  journal_.emplace(file, settings(), order_.resume);
  for (const SeedOutcome& outcome : journal_->outcomes()) outcomes_[outcome.seed] = outcome;
  for (const FuzzExample& example : journal_->examples()) examples_[key_of(example.failure)] = example;
  try_seeds();
  campaign.seeds = outcomes_.size();
  for (const auto& [seed, outcome] : outcomes_) {
    for (const auto& [verdict, count] : outcome.verdicts) campaign.verdicts[verdict] += count;
    campaign.troubles.insert(campaign.troubles.end(), outcome.troubles.begin(), outcome.troubles.end());
  }
  const std::vector<FailureGroup> causes = grouped_by_cause(outcomes_);
  const std::vector<const FuzzFailure*> chosen = examples_to_settle(causes);
  if (!stopped()) settle_examples(chosen);
  campaign.findings = folded(causes, examples_);
  campaign.cut_short = stopped();
  return campaign;
}

void Campaigner::try_seeds() {
  std::vector<std::uint64_t> left;
  for (std::uint64_t seed = order_.seed; !order_.time && seed < order_.seed + order_.count; ++seed) {
    if (!outcomes_.contains(seed)) left.push_back(seed);
  }
  const std::uint64_t after = outcomes_.empty() ? order_.seed : outcomes_.rbegin()->first + 1;
  const auto begun = Clock::now();
  const std::size_t pieces = order_.time ? std::numeric_limits<std::size_t>::max() : left.size();
  in_threads(pieces, [&](Prober& prober, std::size_t piece) {
    if (order_.time && Clock::now() - begun >= *order_.time) return false;
    const std::uint64_t seed = order_.time ? after + piece : left[piece];
    SeedOutcome outcome = outcome_of(prober, seed);
    const std::lock_guard lock(mutex_);
    journal_->add(outcome);
    outcomes_[seed] = std::move(outcome);
    const auto seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    tell(order_.time ? static_cast<std::size_t>(seconds) : outcomes_.size(),
         order_.time ? static_cast<std::size_t>(order_.time->count()) : order_.count, fmt::format("seed {}", seed));
    return true;
  });
}

SeedOutcome Campaigner::outcome_of(Prober& prober, std::uint64_t seed) const {
  SeedOutcome outcome{.seed = seed, .verdicts = {}, .failures = {}, .troubles = {}};
  const Format format = format_of(seed);
  SeedCases all = cases_of(seed, format, order_.kinds);
  outcome.troubles = std::move(all.troubles);
  bool model_passed = true;
  for (const FuzzCase& each : all.cases) {
    if (each.kind.starts_with("relation ") && !model_passed) continue;
    const Result result = prober.attempt(each.vector).result;
    const std::string verdict = verdict_line(result);
    ++outcome.verdicts[verdict];
    if (each.kind == "model") model_passed = result.verdict == Verdict::pass;
    if (result.verdict == Verdict::adapter)
      outcome.troubles.push_back(
          fmt::format("{}: the adapter: {}", each.vector.summary.id, cut_word(result.reason, max_trouble)));
    if (is_finding(result))
      outcome.failures.push_back(
          {seed, name_of(format), each.kind, verdict, cut_word(cause_of_failure(result), max_cause)});
  }
  return outcome;
}

std::vector<const FuzzFailure*> Campaigner::examples_to_settle(const std::vector<FailureGroup>& groups) const {
  std::vector<const FuzzFailure*> chosen;
  for (const FailureGroup& group : groups) {
    const bool wrong = group.front()->verdict.find("wrong-") != std::string::npos;
    const std::size_t most = order_.examples * (wrong ? 3 : 1);
    chosen.insert(chosen.end(), group.begin(),
                  group.begin() + static_cast<std::ptrdiff_t>(std::min(group.size(), most)));
  }
  return chosen;
}

void Campaigner::settle_examples(const std::vector<const FuzzFailure*>& chosen) {
  std::vector<const FuzzFailure*> left;
  for (const FuzzFailure* failure : chosen) {
    if (!examples_.contains(key_of(*failure))) left.push_back(failure);
  }
  generator::ShrinkLimits limits = order_.shrinking;
  limits.stop = [this] { return stopped(); };
  in_threads(left.size(), [&](Prober& prober, std::size_t piece) {
    const FuzzFailure& failure = *left[piece];
    const FuzzCase failed = case_of(failure.seed, *format_named(failure.format), failure.kind);
    FuzzExample example = settle(prober, failed, failure, limits);
    if (stopped()) return false;  // the example may not be as small as possible
    const std::lock_guard lock(mutex_);
    journal_->add(example);
    examples_[key_of(failure)] = std::move(example);
    tell(examples_.size(), chosen.size(), fmt::format("made smaller: seed {}", failure.seed));
    return true;
  });
}

/// Calls `work` for each piece, in as many threads as there are jobs; a thread ends when `work` returns false. Rethrows
/// an exception of a thread.
void Campaigner::in_threads(std::size_t pieces, const std::function<bool(Prober&, std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_pieces = [&] {
    try {
      Prober prober(target_);
      for (std::size_t piece = next++; piece < pieces && !stopped(); piece = next++) {
        if (!work(prober, piece)) return;
      }
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

}  // namespace

Campaign fuzz(const Project& project, const Adapter& adapter, const FuzzOrder& order,
              const std::filesystem::path& file) {
  return Campaigner(project, adapter, order).run(file);
}

}  // namespace ifcert::conformance
