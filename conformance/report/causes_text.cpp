#include "conformance/report/causes_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <map>
#include <optional>

#include "conformance/system/one_line.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t most_of_a_kind = 4;
constexpr std::size_t indent = 8;
constexpr std::size_t narrowest = 40;

std::size_t results_of(std::span<const Cause> causes) {
  std::size_t sum = 0;
  for (const Cause& cause : causes) sum += cause.results.size();
  return sum;
}

std::string known_mark(const Cause& cause) {
  if (cause.known == 0) return "";
  return cause.known == cause.results.size() ? " [known]" : fmt::format(" [{} known]", cause.known);
}

/// "computes" of one model, "compute" of several.
std::string outcome_word(SiblingOutcome outcome, std::size_t count) {
  const bool is_one = count == 1;
  switch (outcome) {
    case SiblingOutcome::computes:
      return is_one ? "computes" : "compute";
    case SiblingOutcome::fails_alike:
      return is_one ? "fails alike" : "fail alike";
    case SiblingOutcome::fails_otherwise:
      return is_one ? "fails otherwise" : "fail otherwise";
    default:
      return "not made";
  }
}

/// "3 compute, 1 fails alike"; empty where none was run.
std::string outcomes_text(const Cause& cause, std::optional<SiblingResult> Result::*kind) {
  std::map<SiblingOutcome, std::size_t> counts;
  for (const Result* result : cause.results) {
    if (result->*kind) ++counts[(result->*kind)->outcome];
  }
  std::string text;
  for (const auto& [outcome, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome_word(outcome, count));
  return text;
}

std::string cause_lines(const Cause& cause, std::size_t width) {
  const std::string words = fmt::format("{}{}: {}", line_of(cause), known_mark(cause), message_of(cause));
  const std::string siblings = siblings_text(cause);
  return fmt::format("{:>{}}  {}\n{:{}}{}\n{}", cause.results.size(), indent - 2, one_line(words, width - indent), "",
                     indent, printable(cause.example().vector),
                     siblings.empty() ? "" : fmt::format("{:{}}{}\n", "", indent, siblings));
}

/// The causes of one kind, the most frequent first.
std::string kind_lines(std::span<const Cause> causes, std::size_t width) {
  std::string text = fmt::format("  {}\n", to_string(causes.front().kind));
  const std::size_t shown = std::min(causes.size(), most_of_a_kind);
  for (const Cause& cause : causes.first(shown)) text += cause_lines(cause, width);
  const std::span<const Cause> rest = causes.subspan(shown);
  if (rest.empty()) return text;
  return text + fmt::format("{:{}}… and {} more cause{} ({} result{}), in the report\n", "", indent, rest.size(),
                            rest.size() == 1 ? "" : "s", results_of(rest), results_of(rest) == 1 ? "" : "s");
}

std::string counted_kind(CauseKind kind, std::size_t count) {
  if (count == 1 && kind == CauseKind::wrong_values) return "wrong value";
  return count == 1 && kind == CauseKind::crashes_and_hangs ? "crash or hang" : to_string(kind);
}

std::vector<Cause> of_adapter(const std::vector<Cause>& causes, const std::string& adapter) {
  std::vector<Cause> some;
  std::ranges::copy_if(causes, std::back_inserter(some), [&](const Cause& cause) { return cause.adapter == adapter; });
  return some;
}

}  // namespace

std::string kinds_text(std::span<const Cause> causes) {
  std::map<CauseKind, std::size_t> counts;
  for (const Cause& cause : causes) counts[cause.kind] += cause.results.size();
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, counted_kind(kind, count));
  }
  return text;
}

std::string line_of(const Cause& cause) {
  const Result& example = cause.example();
  return verdict_line(example) + (example.phase.empty() ? "" : " at " + example.phase);
}

std::string message_of(const Cause& cause) {
  const std::string own = own_line(cause.example());
  return own.empty() ? cause.example().reason : own;
}

std::string siblings_text(const Cause& cause) {
  const std::string without = outcomes_text(cause, &Result::without_ifs);
  const std::string rewritten = outcomes_text(cause, &Result::rewritten);
  if (without.empty()) return "";
  return fmt::format("without the If {}; rewritten {}", without, rewritten);
}

std::string causes_text(const Certification& certification, std::size_t width) {
  const std::vector<Cause> all = causes_of(certification);
  std::string text;
  for (const AdapterIdentity& adapter : certification.adapters) {
    const std::vector<Cause> causes = of_adapter(all, adapter.name);
    if (causes.empty()) continue;
    text += fmt::format("{}: {}\n", printable(adapter.name), kinds_text(causes));
    for (auto at = causes.begin(); at != causes.end();) {
      const auto end = std::find_if(at, causes.end(), [&](const Cause& other) { return other.kind != at->kind; });
      text += kind_lines({at, end}, std::max(width, narrowest));
      at = end;
    }
    text += '\n';
  }
  return text.empty() ? "" : "What did not pass, by cause:\n\n" + text;
}

}  // namespace ifcert::conformance
