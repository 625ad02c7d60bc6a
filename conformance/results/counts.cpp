#include "conformance/results/counts.hpp"

#include <fmt/format.h>

#include <set>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

std::vector<RuleSummary> rules_of(const Certification& certification) {
  std::vector<RuleSummary> rules = certification.rules;
  std::set<std::string> names;
  for (const RuleSummary& rule : rules) names.insert(rule.name);
  for (const VectorSummary& vector : certification.vectors) {
    if (names.insert(vector.rule).second) rules.push_back({vector.rule, "", ""});
  }
  return rules;
}

}  // namespace

std::size_t Counts::of(Verdict verdict) const {
  const auto found = verdicts.find(verdict);
  return found == verdicts.end() ? 0 : found->second;
}

std::size_t Counts::failed() const {
  std::size_t sum = 0;
  for (const auto& [verdict, count] : verdicts) sum += is_failure(verdict) ? count : 0;
  return sum;
}

std::size_t Counts::counting() const {
  return total - of(Verdict::not_if);
}

bool Counts::holds() const {
  return counting() > 0 && of(Verdict::pass) == counting();
}

void Counts::add(Verdict verdict, bool is_known) {
  ++verdicts[verdict];
  ++total;
  if (is_known) ++known;
}

void Counts::add(const Counts& other) {
  for (const auto& [verdict, count] : other.verdicts) verdicts[verdict] += count;
  total += other.total;
  known += other.known;
}

Counted::Counted(const Certification& certification) : certification_(&certification), rules_(rules_of(certification)) {
  index_results();
  for (const AdapterIdentity& adapter : certification.adapters) {
    for (const VectorSummary& vector : certification.vectors) {
      if (!in_scope(adapter, vector)) continue;
      const Result* found = result(adapter.name, vector.id);
      Counts& counts = counts_[{adapter.name, vector.rule, vector.axis}];
      counts.add(found != nullptr ? found->verdict : Verdict::not_run, found != nullptr && found->known);
    }
  }
}

void Counted::index_results() {
  std::set<std::string> adapters;
  std::set<std::string> vectors;
  for (const AdapterIdentity& adapter : certification_->adapters) adapters.insert(adapter.name);
  for (const VectorSummary& vector : certification_->vectors) vectors.insert(vector.id);
  for (const Result& result : certification_->results) {
    if (!adapters.contains(result.adapter) || !vectors.contains(result.vector)) {
      throw Error(fmt::format("result of {} on {}: the certification lists no such {}", result.adapter, result.vector,
                              adapters.contains(result.adapter) ? "vector" : "adapter"));
    }
    if (!results_.emplace(VectorKey{result.adapter, result.vector}, &result).second) {
      throw Error(fmt::format("two results of {} on {}, expected one", result.adapter, result.vector));
    }
  }
}

const Result* Counted::result(std::string_view adapter, std::string_view vector) const {
  const auto found = results_.find({std::string(adapter), std::string(vector)});
  return found == results_.end() ? nullptr : found->second;
}

Counts Counted::counts(std::string_view adapter, std::string_view rule, Axis axis) const {
  const auto found = counts_.find({std::string(adapter), std::string(rule), axis});
  return found == counts_.end() ? Counts{} : found->second;
}

Total Counted::total(std::string_view adapter, Axis axis) const {
  Total total;
  for (const RuleSummary& rule : rules_) {
    const Counts of_rule = counts(adapter, rule.name, axis);
    if (of_rule.total == 0) continue;
    if (of_rule.counting() > 0) ++total.rules;
    if (of_rule.holds()) ++total.rules_holding;
    total.vectors.add(of_rule);
  }
  return total;
}

}  // namespace ifcert::conformance
