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
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/adapter.hpp"
#include "conformance/hello.hpp"
#include "conformance/order.hpp"
#include "conformance/rounds.hpp"
#include "conformance/schema.hpp"
#include "conformance/suspects.hpp"

namespace ifcert::conformance {

/// One adapter's share: the vectors it is tried on and their results, in the manifest's order.
struct Share {
  const Adapter* adapter;
  AdapterIdentity identity;
  bool greeted = false;  // true once hello was answered; `identity` is then as declared
  std::vector<const Vector*> vectors;
  std::vector<Rounds> rounds;                                       // of each vector
  std::map<std::pair<std::size_t, std::size_t>, Trial> suspects{};  // by vector and round: not settled yet
  std::unique_ptr<FirstHello> first_hello = std::make_unique<FirstHello>();
  Effort effort{};
};

class Scheduler {
 public:
  /// Trials that the shares already have are not run again. The project, the order and the shares must outlive the
  /// scheduler.
  Scheduler(const Project& project, const Order& order, std::vector<Share>& shares);

  /// Tries every vector, then retries, in fresh processes, the failures that no list names. If the run is interrupted,
  /// it returns as soon as the running vectors are done. Throws what a worker threw.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Item {
    std::size_t share, vector, round;
  };
  struct Retry {
    std::size_t share;
    Batch batch;
  };
  /// Measures an adapter's effort in this phase: the time since its first piece of work began, plus `before`, the
  /// seconds from the runs that this one resumes.
  struct Watch {
    Clock::time_point begin = Clock::time_point::max();
    double before = 0;
  };
  class Worker;

  void list_items();
  void list_retries();
  /// The vectors that can serve as controls, and their rules: those that the adapter computed right, and quickly.
  static std::vector<std::pair<std::size_t, std::string_view>> passed(const Share& share);
  bool stopped() const { return failed_ || (order_.interrupted != nullptr && order_.interrupted->load()); }
  void in_threads(std::size_t pieces, const std::function<void(Worker&, std::size_t)>& work);
  bool is_suspect(const Result& result) const;
  void finish(const Item& item, Trial trial, const Session& session, Clock::time_point begun);
  void settle(Retry& retry, Clock::time_point begun);
  void greet(Share& share, const Session& session);
  double spent(std::size_t share, Clock::time_point begun);

  const Project& project_;
  const Order& order_;
  std::vector<Share>& shares_;
  Schema answers_;
  std::vector<Item> items_;     // still to be tried
  std::vector<Retry> retries_;  // after that
  std::size_t total_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards the members below, the shares and the journal
  std::exception_ptr failure_;
  std::size_t done_ = 0;
  std::size_t suspected_ = 0, confirmed_ = 0;  // the number of suspects, and of those that are settled
  std::vector<Watch> watches_;                 // of each share
};

}  // namespace ifcert::conformance
