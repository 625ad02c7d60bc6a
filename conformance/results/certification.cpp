#include "conformance/results/certification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using BreachKind = ListBreach::Kind;

constexpr std::array<std::pair<Verdict, std::string_view>, 12> verdict_words{{
    {Verdict::pass, "PASS"},
    {Verdict::fail, "FAIL"},
    {Verdict::not_if, "NOT-IF"},
    {Verdict::lenient, "LENIENT"},
    {Verdict::not_shown, "NOT-SHOWN"},
    {Verdict::crash, "CRASH"},
    {Verdict::timeout, "TIMEOUT"},
    {Verdict::memory, "MEMORY"},
    {Verdict::unsupported, "UNSUPPORTED"},
    {Verdict::adapter, "ADAPTER"},
    {Verdict::harness, "HARNESS"},
    {Verdict::not_run, "NOT-RUN"},
}};

constexpr std::array<std::pair<Fault, std::string_view>, 8> fault_words{{
    {Fault::none, ""},
    {Fault::wrong_value, "wrong-value"},
    {Fault::wrong_shape, "wrong-shape"},
    {Fault::wrong_type, "wrong-type"},
    {Fault::wrong_name, "wrong-name"},
    {Fault::wrongly_accepted, "wrongly-accepted"},
    {Fault::wrongly_refused, "wrongly-refused"},
    {Fault::unstable, "unstable"},
}};

constexpr std::array<std::pair<Axis, std::string_view>, 3> axis_words{{
    {Axis::computes, "computes"},
    {Axis::diagnoses, "diagnoses"},
    {Axis::open, "open"},
}};

constexpr std::array<std::pair<BreachKind, std::string_view>, 10> breach_words{{
    {BreachKind::listed_passes, "listed-and-passes"},
    {BreachKind::unlisted_fails, "unlisted-and-fails"},
    {BreachKind::unlisted_lenient, "unlisted-and-lenient"},
    {BreachKind::unlisted_not_if, "unlisted-and-not-if"},
    {BreachKind::listed_fails_otherwise, "listed-and-fails-otherwise"},
    {BreachKind::listed_unsupported, "listed-and-unsupported"},
    {BreachKind::listed_not_shown, "listed-and-not-shown"},
    {BreachKind::unlisted_rewriting, "unlisted-and-differs"},
    {BreachKind::listed_rewriting_passes, "listed-and-does-not-differ"},
    {BreachKind::listed_rewriting_fails_otherwise, "listed-and-differs-otherwise"},
}};

constexpr std::array<std::pair<SiblingOutcome, std::string_view>, 4> sibling_words{{
    {SiblingOutcome::not_made, "not made"},
    {SiblingOutcome::computes, "computes"},
    {SiblingOutcome::fails_alike, "fails alike"},
    {SiblingOutcome::fails_otherwise, "fails otherwise"},
}};

constexpr std::array<std::pair<RuleGroup, std::string_view>, 3> group_words{{
    {RuleGroup::operation, "If"},
    {RuleGroup::around, "around If"},
    {RuleGroup::file, "file"},
}};

template <typename Words, typename Value>
std::string word_of(const Words& words, Value value) {
  for (const auto& [known, word] : words) {
    if (known == value) return std::string(word);
  }
  throw Error("a verdict, fault, axis or breach without a name");
}

template <typename Words>
auto meaning_of(const Words& words, std::string_view text) {
  for (const auto& [value, word] : words) {
    if (word == text) return value;
  }
  throw Error(fmt::format("'{}' is not a verdict, fault, axis or outcome", text));
}

}  // namespace

std::string to_string(Verdict verdict) {
  return word_of(verdict_words, verdict);
}
std::string to_string(Fault fault) {
  return word_of(fault_words, fault);
}
std::string to_string(Axis axis) {
  return word_of(axis_words, axis);
}
std::string to_string(ListBreach::Kind kind) {
  return word_of(breach_words, kind);
}
std::string to_string(SiblingOutcome outcome) {
  return word_of(sibling_words, outcome);
}
std::string to_string(RuleGroup group) {
  return word_of(group_words, group);
}
Verdict verdict_from(std::string_view word) {
  return meaning_of(verdict_words, word);
}
Fault fault_from(std::string_view word) {
  return meaning_of(fault_words, word);
}
Axis axis_from(std::string_view word) {
  return meaning_of(axis_words, word);
}
SiblingOutcome sibling_outcome_from(std::string_view word) {
  return meaning_of(sibling_words, word);
}

bool is_failure(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::crash || verdict == Verdict::timeout ||
         verdict == Verdict::memory || verdict == Verdict::adapter;
}

bool fails(Verdict verdict) {
  return is_failure(verdict) || verdict == Verdict::not_if;
}

Verdict failed_as(const Result& result) {
  return result.failed_as.value_or(result.verdict);
}

bool is_listable(Verdict verdict) {
  return verdict == Verdict::lenient || fails(verdict);
}

bool is_inconclusive(Verdict verdict) {
  return verdict == Verdict::adapter || verdict == Verdict::harness || verdict == Verdict::not_run;
}

std::string refusal_message(const Result& result) {
  if (!result.got.is_object() || !result.got.contains("refused")) return {};
  return result.got.at("refused").at("message").get<std::string>();
}

bool in_scope(const AdapterIdentity& adapter, const VectorSummary& vector) {
  return adapter.systems.empty() || std::ranges::find(adapter.systems, vector.system) != adapter.systems.end();
}

bool fails(const RewritingResult& result) {
  return is_failure(result.verdict) && result.verdict != Verdict::adapter;
}

std::string kept_text(const Certification& certification) {
  const KeptCount& kept = certification.kept;
  if (kept.results == 0) return "";
  return fmt::format("{} of {} results are of earlier runs, since {}", kept.results, certification.results.size(),
                     kept.since);
}

std::string verdict_line(const RewritingResult& result) {
  Result line;
  line.verdict = result.verdict;
  line.fault = result.fault;
  return verdict_line(line);
}

std::string verdict_line(const Result& result) {
  std::vector<std::string> details;
  if (result.failed_as && result.fault == Fault::none) details.push_back(to_string(*result.failed_as));
  if (result.fault != Fault::none)
    details.push_back(to_string(result.fault));
  else if (result.signal)
    details.push_back(fmt::format("signal {}", *result.signal));
  if (details.empty()) return to_string(result.verdict);
  return fmt::format("{} ({})", to_string(result.verdict), fmt::join(details, ", "));
}

}  // namespace ifcert::conformance
