// The work of a certification: vectors handed out to worker threads, each with an adapter process of its own.
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

/// One adapter's share: the vectors it is tried on and what came of them, in the manifest's order.
struct Share {
  const Adapter* adapter;
  AdapterIdentity identity;
  bool greeted = false;  // hello was answered: the identity is what it said
  std::vector<const Vector*> vectors;
  std::vector<Rounds> rounds;                                       // of each vector
  std::map<std::pair<std::size_t, std::size_t>, Trial> suspects{};  // by vector and round: not settled yet
  std::unique_ptr<FirstHello> first_hello = std::make_unique<FirstHello>();
  Effort effort{};
};

class Scheduler {
 public:
  /// What the shares have already is not done again. The order and the shares outlive the work.
  Scheduler(const Project& project, const Order& order, std::vector<Share>& shares);

  /// Runs to the end, or to the vectors that run when the order is interrupted; throws what a worker threw. First every
  /// vector is tried, then, in fresh processes, what failed and no list names.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Item {
    std::size_t share, vector, round;
  };
  struct Doubt {
    std::size_t share;
    Batch batch;
  };
  /// Seconds of an adapter's effort that go on now: since its first work began, beyond what it was then.
  struct Watch {
    Clock::time_point begin = Clock::time_point::max();
    double before = 0;
  };
  class Worker;

  void list_items();
  void list_doubts();
  /// Those that the adapter computed.
  static std::vector<std::pair<std::size_t, std::string_view>> passed(const Share& share);
  bool stopped() const { return failed_ || (order_.interrupted != nullptr && order_.interrupted->load()); }
  void in_threads(std::size_t pieces, const std::function<void(Worker&, std::size_t)>& work);
  bool is_suspect(const Result& result) const;
  void finish(const Item& item, Trial trial, const Session& session, Clock::time_point begun);
  void settle(Doubt& doubt, Clock::time_point begun);
  void greet(Share& share, const Session& session);
  double spent(std::size_t share, Clock::time_point begun);

  const Project& project_;
  const Order& order_;
  std::vector<Share>& shares_;
  Schema answers_;
  std::vector<Item> items_;    // what is left to do
  std::vector<Doubt> doubts_;  // and then to be tried again
  std::size_t total_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // of what follows, of the shares and of the journal
  std::exception_ptr failure_;
  std::size_t done_ = 0;
  std::size_t doubtful_ = 0, confirmed_ = 0;  // suspects
  std::vector<Watch> watches_;                // of each share
};

}  // namespace ifcert::conformance
