// Runs a certification: distributes vectors to worker threads, each with its own adapter process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "conformance/certify/certification_options.hpp"
#include "conformance/certify/retries.hpp"
#include "conformance/certify/rounds.hpp"
#include "conformance/runtimes/adapter.hpp"
#include "conformance/runtimes/hello.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {

/// How far a certification has come with one adapter: its vectors, in the manifest's order, and their results so far.
struct AdapterProgress {
  const Adapter* adapter;
  AdapterIdentity identity;
  bool has_hello = false;  // whether `identity` is from the adapter's hello; if not, it is from its manifest
  std::vector<const Vector*> vectors;
  std::vector<Rounds> rounds;                                       // of each vector
  std::map<std::pair<std::size_t, std::size_t>, Trial> suspects{};  // by vector and round: to be retried
  std::unique_ptr<FirstHello> first_hello = std::make_unique<FirstHello>();
  WallTime wall_time{};
  std::unique_ptr<std::atomic<std::size_t>> bytes =
      std::make_unique<std::atomic<std::size_t>>(0);  // of its answers in this run, without earlier interrupted ones
  std::size_t words = 0;                              // bytes of its words that are kept
};

class Scheduler {
 public:
  /// Trials that an adapter's progress already has are not run again. All three arguments must outlive the
  /// scheduler.
  Scheduler(const Project& project, const CertificationOptions& options, std::vector<AdapterProgress>& all_progress);

  /// Tries every vector, then retries, in fresh processes, the failures that no list names. If the run is interrupted,
  /// it returns as soon as the running vectors have ended; failures that are not settled by then remain suspects.
  /// Rethrows the exception of a worker.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Try {
    std::size_t adapter, vector, round;
  };
  struct Retry {
    std::size_t adapter;
    Batch batch;
  };
  /// Measures the wall time of one adapter, either for tries or for retries.
  struct Stopwatch {
    Clock::time_point first_start = Clock::time_point::max();
    double earlier_seconds = 0;  // from the interrupted runs that this one resumes
  };
  class Worker;

  void list_tries();
  void list_retries();
  std::vector<Probe> eligible_probes(const AdapterProgress& progress) const;
  bool is_stopped() const { return failed_ || (options_.interrupted != nullptr && options_.interrupted->load()); }
  void in_threads(std::size_t count, const std::function<void(Worker&, std::size_t)>& work);
  void record_try(const Try& tried, Trial trial, const Session& session, Clock::time_point start);
  void record_retry(std::size_t adapter, const Suspect& settled, Clock::time_point start);
  void keep_words(AdapterProgress& progress, Result& result, std::size_t before) const;
  void record_hello(AdapterProgress& progress, const Session& session);
  double elapsed_seconds(std::size_t adapter, Clock::time_point start);

  const Project& project_;
  const CertificationOptions& options_;
  std::vector<AdapterProgress>& all_progress_;
  Schema answers_;
  std::vector<Try> tries_;
  std::vector<Retry> retries_;  // filled when all tries are done
  std::size_t total_ = 0;       // all tries, including those that earlier runs have done
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards the members below, the progress of the adapters, and the journal
  std::exception_ptr failure_;
  std::size_t done_ = 0;                     // of the total
  std::size_t suspected_ = 0, settled_ = 0;  // the number of suspects, and of those that were retried
  std::vector<Stopwatch> stopwatches_;       // of each adapter
};

}  // namespace ifcert::conformance
