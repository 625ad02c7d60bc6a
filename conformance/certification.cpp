#include "conformance/certification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "conformance/error.hpp"

namespace ifcert::conformance {
namespace {

using BreachKind = ListBreach::Kind;

constexpr std::array<std::pair<Verdict, std::string_view>, 9> verdict_words{{
    {Verdict::pass, "PASS"},
    {Verdict::fail, "FAIL"},
    {Verdict::crash, "CRASH"},
    {Verdict::timeout, "TIMEOUT"},
    {Verdict::memory, "MEMORY"},
    {Verdict::unsupported, "UNSUPPORTED"},
    {Verdict::adapter, "ADAPTER"},
    {Verdict::harness, "HARNESS"},
    {Verdict::not_run, "NOT-RUN"},
}};

constexpr std::array<std::pair<Fault, std::string_view>, 7> fault_words{{
    {Fault::none, ""},
    {Fault::wrong_value, "wrong-value"},
    {Fault::wrong_shape, "wrong-shape"},
    {Fault::wrong_type, "wrong-type"},
    {Fault::wrongly_accepted, "wrongly-accepted"},
    {Fault::wrongly_refused, "wrongly-refused"},
    {Fault::unstable, "unstable"},
}};

constexpr std::array<std::pair<BreachKind, std::string_view>, 4> breach_words{{
    {BreachKind::listed_passes, "listed-and-passes"},
    {BreachKind::unlisted_fails, "unlisted-and-fails"},
    {BreachKind::listed_fails_otherwise, "listed-and-fails-otherwise"},
    {BreachKind::listed_unsupported, "listed-and-unsupported"},
}};

template <typename Words, typename Value>
std::string word_of(const Words& words, Value value) {
  for (const auto& [known, word] : words) {
    if (known == value) return std::string(word);
  }
  throw Error("a verdict, fault or breach that has no word");
}

template <typename Words>
auto meaning_of(const Words& words, std::string_view text) {
  for (const auto& [value, word] : words) {
    if (word == text) return value;
  }
  throw Error(fmt::format("'{}' is no verdict or fault", text));
}

}  // namespace

std::string to_string(Verdict verdict) {
  return word_of(verdict_words, verdict);
}
std::string to_string(Fault fault) {
  return word_of(fault_words, fault);
}
std::string to_string(ListBreach::Kind kind) {
  return word_of(breach_words, kind);
}
Verdict verdict_from(std::string_view word) {
  return meaning_of(verdict_words, word);
}
Fault fault_from(std::string_view word) {
  return meaning_of(fault_words, word);
}

bool is_failure(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::crash || verdict == Verdict::timeout ||
         verdict == Verdict::memory || verdict == Verdict::adapter;
}

bool in_scope(const AdapterIdentity& adapter, const VectorSummary& vector) {
  return adapter.systems.empty() || std::ranges::find(adapter.systems, vector.system) != adapter.systems.end();
}

std::string verdict_line(const Result& result) {
  if (result.fault != Fault::none) return fmt::format("{} ({})", to_string(result.verdict), to_string(result.fault));
  if (result.signal) return fmt::format("{} (signal {})", to_string(result.verdict), *result.signal);
  return to_string(result.verdict);
}

std::map<std::pair<std::string, std::string>, Tally> tally(const Certification& certification) {
  std::map<std::pair<std::string, std::string>, Tally> tallies;
  for (const AdapterIdentity& adapter : certification.adapters) {
    for (const VectorSummary& vector : certification.vectors) {
      if (in_scope(adapter, vector)) ++tallies[{adapter.name, vector.rule}].total;
    }
  }
  for (const Result& result : certification.results) {
    Tally& counts = tallies[{result.adapter, result.rule}];
    if (result.verdict == Verdict::pass) {
      ++counts.passed;
    } else if (result.verdict == Verdict::unsupported) {
      ++counts.unsupported;
    } else if (is_failure(result.verdict)) {
      ++counts.failed;
    } else {
      ++counts.other;
    }
  }
  return tallies;
}

}  // namespace ifcert::conformance
