// A certification, counted: which result belongs to which vector, and how many of each verdict per runtime, rule and
// axis.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

inline constexpr std::array all_verdicts{Verdict::pass,        Verdict::fail,    Verdict::lenient, Verdict::not_shown,
                                         Verdict::crash,       Verdict::timeout, Verdict::memory,  Verdict::not_if,
                                         Verdict::unsupported, Verdict::adapter, Verdict::harness, Verdict::not_run};

/// How many of `total` vectors got each verdict. Only vectors in the adapter's scope are counted; one without a result
/// counts as not run, so the verdicts always add up to the total.
struct Counts {
  std::map<Verdict, std::size_t> verdicts;
  std::size_t total = 0;
  std::size_t known = 0;  // those that are on the adapter's known-failure list

  [[nodiscard]] std::size_t of(Verdict verdict) const;
  /// FAIL, CRASH, TIMEOUT, MEMORY and ADAPTER: never LENIENT or NOT-IF.
  [[nodiscard]] std::size_t failed() const;
  /// The n of "k of n": all but NOT-IF, which shows nothing about the If.
  [[nodiscard]] std::size_t counting() const;
  /// All that count pass, and there is at least one.
  [[nodiscard]] bool holds() const;
  void add(Verdict verdict, bool is_known);
  void add(const Counts& other);
};

/// One adapter's counts over every vector of an axis, and how many rules hold of those that have vectors there.
struct Total {
  Counts vectors;
  std::size_t rules = 0, rules_holding = 0;
};

/// The certification with its counts. Refers to the certification, which must outlive it.
class Counted {
 public:
  /// Throws Error for two results of the same adapter and vector, and for a result of an adapter or vector that is not
  /// listed.
  explicit Counted(const Certification& certification);

  [[nodiscard]] const Certification& certification() const { return *certification_; }
  /// The certification's rules in their order, then those that only a vector names.
  [[nodiscard]] const std::vector<RuleSummary>& rules() const { return rules_; }
  /// Null where the vector was not run.
  [[nodiscard]] const Result* result(std::string_view adapter, std::string_view vector) const;
  /// Zero counts where the rule has no vectors of the axis in the adapter's scope.
  [[nodiscard]] Counts counts(std::string_view adapter, std::string_view rule, Axis axis) const;
  [[nodiscard]] Total total(std::string_view adapter, Axis axis) const;

 private:
  using VectorKey = std::pair<std::string, std::string>;
  using RuleKey = std::tuple<std::string, std::string, Axis>;

  void index_results();

  const Certification* certification_;
  std::vector<RuleSummary> rules_;
  std::map<VectorKey, const Result*> results_;  // (adapter, vector)
  std::map<RuleKey, Counts> counts_;            // (adapter, rule, axis)
};

}  // namespace ifcert::conformance
