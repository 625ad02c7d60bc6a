// The rounds of one vector on one adapter (certify --repeat), and one trial that combines them.
#pragma once

#include <cstddef>
#include <map>
#include <set>

#include "conformance/certify/trial.hpp"

namespace ifcert::conformance {

class Rounds {
 public:
  /// Adds the trial of a round, counted from 1. Each round is added once; they may come in any order.
  void add(std::size_t round, Trial trial);

  bool has(std::size_t round) const { return done_.contains(round); }
  std::size_t count() const { return done_.size(); }

  /// The first round, if all have the same verdict and fault. Otherwise the first inconclusive round; if there is none,
  /// FAIL (unstable) with the details of the first round that did not pass. There must be at least one round.
  Trial trial() const;

 private:
  std::set<std::size_t> done_;
  std::map<std::size_t, Trial> kept_;  // by round: only the first one with each verdict and fault
};

}  // namespace ifcert::conformance
