// The work of a certification: vectors handed out to worker threads, each with an adapter process of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "conformance/certify.hpp"
#include "conformance/rounds.hpp"
#include "conformance/schema.hpp"

namespace ifcert::conformance {

/// One adapter's share: the vectors it is tried on and what came of them, in the manifest's order.
struct Share {
  const Adapter* adapter;
  AdapterIdentity identity;
  bool greeted = false;  // hello was answered: the identity is what it said
  std::vector<const Vector*> vectors;
  std::vector<Rounds> rounds;  // of each vector
};

class Work {
 public:
  /// What the shares have already is not done again. The order and the shares outlive the work.
  Work(const Project& project, const Order& order, std::vector<Share>& shares);

  /// Runs to the end, or to the vectors that run when the order is interrupted; throws what a worker threw.
  void run();

 private:
  struct Item {
    std::size_t share, vector, round;
  };
  class Worker;

  void list_items();
  bool stopped() const { return failed_ || (order_.interrupted != nullptr && order_.interrupted->load()); }
  void work();
  void finish(const Item& item, Trial trial, const Session& session);
  void greet(Share& share, const Session& session);

  const Project& project_;
  const Order& order_;
  std::vector<Share>& shares_;
  Schema answers_;
  std::vector<Item> items_;  // what is left to do
  std::size_t total_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // of what follows, of the shares and of the journal
  std::exception_ptr failure_;
  std::size_t done_ = 0;
};

}  // namespace ifcert::conformance
