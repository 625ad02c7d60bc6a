#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "conformance/report/causes_text.hpp"
#include "conformance/report/formats.hpp"
#include "conformance/report/headline.hpp"
#include "conformance/report/rewritings.hpp"
#include "conformance/suite/profiles.hpp"
#include "conformance/system/one_line.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t comment_limit = 65536;  // characters of a comment on GitHub; bytes are never fewer
constexpr std::size_t foot_room = 10000;      // for the end of the report, however long the lists are
constexpr std::size_t words_limit = 200;      // for one name or message
constexpr std::size_t vectors_named = 6;      // per group
constexpr std::size_t causes_seen = 25;       // the others are folded

// The words of a model or a runtime, unchanged, in one line. Only inside code does GitHub not look for a @mention,
// #reference, commit or address; as character references they are not Markdown either, nor HTML, nor the end of a
// column.
std::string in_code(std::string_view text) {
  constexpr std::string_view harmless = " /-.,;:()=+";
  std::string code;
  for (const char letter : one_line(text, words_limit)) {
    const bool word = static_cast<unsigned char>(letter) >= 0x80 || (letter >= '0' && letter <= '9') ||
                      (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    code += word || harmless.find(letter) != std::string_view::npos ? std::string(1, letter)
                                                                    : fmt::format("&#{};", static_cast<int>(letter));
  }
  return code.empty() ? "" : fmt::format("<code>{}</code>", code);
}

std::string word(Verdict verdict) {
  std::string lower;
  for (const char letter : to_string(verdict)) {
    lower += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return lower;
}

// "1 crash, 2 unsupported": every verdict but PASS under its own name.
std::string remainder(const Counts& counts) {
  std::string text;
  for (const Verdict verdict : all_verdicts) {
    if (verdict == Verdict::pass || counts.of(verdict) == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts.of(verdict), word(verdict));
  }
  return text;
}

// The worst verdict of a cell or a row.
enum class Worst { holds, missing, lenient, fails };

Worst worst_of(const Counts& counts) {
  if (counts.total == 0 || counts.holds()) return Worst::holds;
  if (counts.failed() + counts.of(Verdict::harness) > 0) return Worst::fails;
  return counts.of(Verdict::lenient) > 0 ? Worst::lenient : Worst::missing;
}

const char* sign_of(Worst worst) {
  if (worst == Worst::fails) return "✗";
  if (worst == Worst::lenient) return "~";
  return worst == Worst::missing ? "–" : "✓";
}

// "✓ 3 of 3", "~ 1 of 2 (1 lenient)"
std::string k_of_n(const Counts& counts) {
  const std::string rest = remainder(counts);
  return fmt::format("{} {} of {}{}", sign_of(worst_of(counts)), counts.of(Verdict::pass), counts.counting(),
                     rest.empty() ? "" : fmt::format(" ({})", rest));
}

// A line for each axis on which the rule has vectors.
std::string cell(const Counted& counted, const AdapterIdentity& adapter, const RuleSummary& rule) {
  std::string text;
  for (const Axis axis : all_axes) {
    const Counts counts = counted.counts(adapter.name, rule.name, axis);
    if (counts.total == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "<br>", to_string(axis), k_of_n(counts));
  }
  return text.empty() ? "no vector" : text;
}

// Adds lines while there is room for them, then the number of lines that were cut. Nothing is cut silently.
void add_lines(std::string& text, const std::vector<std::string>& lines, std::string_view mark) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (text.size() + lines[i].size() + foot_room > comment_limit) {
      text += fmt::format("\n**Cut here: {} more lines are in report.html.**\n", lines.size() - i);
      return;
    }
    text += fmt::format("{}{}\n", mark, lines[i]);
  }
}

void add_folded(std::string& text, std::string_view title, const std::vector<std::string>& lines,
                std::string_view mark = "- ") {
  if (lines.empty()) return;
  text += fmt::format("\n<details><summary>{}</summary>\n\n", title);
  add_lines(text, lines, mark);
  text += "\n</details>\n";
}

// The verdict that readers see first: do all results match the lists?
std::string verdict(const Certification& certification) {
  if (certification.results.empty()) return "**✗ Nothing was run.**\n";
  if (!certification.breaches.empty()) {
    return fmt::format("**✗ {} from the known-failure lists.**\n",
                       certification.breaches.size() == 1
                           ? "1 result differs"
                           : fmt::format("{} results differ", certification.breaches.size()));
  }
  return "**✓ All results match the known-failure lists.**\n";
}

void add_headlines(std::string& text, const Counted& counted) {
  std::vector<std::string> lines;
  for (const AdapterIdentity& adapter : counted.certification().adapters)
    lines.push_back(fmt::format("{}: {}", in_code(adapter.name), headline_text(headline_of(counted, adapter.name))));
  text += '\n';
  add_lines(text, lines, "- ");
}

void add_runtimes(std::string& text, const Counted& counted) {
  text += "\n| runtime | axis | vectors that pass | rules that hold | known |\n|---|---|---|---|---|\n";
  std::vector<std::string> rows;
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    for (const Axis axis : all_axes) {
      const Total total = counted.total(adapter.name, axis);
      if (total.rules == 0) continue;
      rows.push_back(fmt::format("| {} {} | {} | {} | {} of {} | {} |", in_code(adapter.name),
                                 in_code(adapter.runtime + " " + adapter.version), to_string(axis),
                                 k_of_n(total.vectors), total.rules_holding, total.rules, total.vectors.known));
    }
  }
  add_lines(text, rows, "");
}

// How much of each profile each runtime reaches; report.html names the rules that are missing.
void add_profiles(std::string& text, const Certification& certification) {
  std::vector<std::string> rows{"| runtime | profile | axis | vectors that pass | rules that hold |",
                                "|---|---|---|---|---|"};
  for (const AdapterIdentity& adapter : certification.adapters) {
    for (const Level& level : levels_of(certification, adapter)) {
      rows.push_back(fmt::format("| {} | {} | {} | {} | {} of {} |", in_code(adapter.name), in_code(level.profile),
                                 to_string(level.axis), k_of_n(level.counts), level.holding(), level.rules));
    }
  }
  constexpr std::size_t head_lines = 2;
  if (rows.size() > head_lines) add_folded(text, "Profiles: what each runtime reaches of each version", rows, "");
}

// "12 computes, 3 open": every count belongs to an axis.
std::string axes_of(const Cause& cause) {
  std::string text;
  for (const auto& [axis, count] : cause.axes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(axis));
  return cause.known == 0 ? text : fmt::format("{} ({} known)", text, cause.known);
}

std::string cause_row(const Cause& cause) {
  const std::string siblings = siblings_text(cause);
  return fmt::format("| {} | {}: {}{}{} | {} | {} | {} |", in_code(cause.adapter), to_string(cause.kind),
                     line_of(cause), siblings.empty() ? "" : "; ", siblings, axes_of(cause), in_code(message_of(cause)),
                     in_code(cause.example().vector));
}

// The results that did not pass: for each runtime how many of each kind, then every cause with the runtime's own line.
void add_causes(std::string& text, const Certification& certification) {
  const std::vector<Cause> causes = causes_of(certification);
  if (causes.empty()) return;
  text += "\n### What did not pass, by cause\n\n";
  std::vector<std::string> kinds;
  for (const AdapterIdentity& adapter : certification.adapters) {
    std::vector<Cause> own;
    std::ranges::copy_if(causes, std::back_inserter(own),
                         [&](const auto& each) { return each.adapter == adapter.name; });
    if (!own.empty()) kinds.push_back(fmt::format("{}: {}", in_code(adapter.name), kinds_text(own)));
  }
  add_lines(text, kinds, "- ");
  const std::vector<std::string> head{"| runtime | verdict | results | its words, or ours | example |",
                                      "|---|---|---|---|---|"};
  std::vector<std::string> seen = head;
  std::vector<std::string> folded = head;
  for (const Cause& cause : causes)
    (seen.size() < head.size() + causes_seen ? seen : folded).push_back(cause_row(cause));
  text += '\n';
  add_lines(text, seen, "");
  if (folded.size() > head.size())
    add_folded(text, fmt::format("More causes: {}", folded.size() - head.size()), folded, "");
}

// The results that a reader of a pull request has to look at: failures on no list, and results that differ from their
// entry.
std::vector<std::string> news(const Counted& counted) {
  std::vector<std::string> lines;
  for (const ListBreach& breach : counted.certification().breaches) {
    const Result* result = counted.result(breach.adapter, breach.vector);
    const std::string reason = result != nullptr ? in_code(result->reason) : "";
    lines.push_back(fmt::format("{} on {}: {}: {}{}{}", in_code(breach.vector), in_code(breach.adapter),
                                to_string(breach.kind), in_code(breach.message), reason.empty() ? "" : ": ", reason));
  }
  return lines;
}

// Failures that breach no list, because they were compared with none (--strict), or because they are not a runtime's.
std::vector<std::string> unlisted(const Counted& counted) {
  std::map<std::pair<std::string, std::string>, bool> listed;
  for (const ListBreach& breach : counted.certification().breaches) listed[{breach.adapter, breach.vector}] = true;
  std::vector<std::string> lines;
  for (const Result& result : counted.certification().results) {
    if (result.known || !(is_failure(result.verdict) || result.verdict == Verdict::harness)) continue;
    if (listed.contains({result.adapter, result.vector})) continue;
    const std::string reason = in_code(result.reason);
    lines.push_back(fmt::format("{} on {}: {}{}{}", in_code(result.vector), in_code(result.adapter),
                                verdict_line(result), reason.empty() ? "" : ": ", reason));
  }
  return lines;
}

// "`a`, `b` and 3 more"
std::string some_of(const std::vector<std::string>& vectors) {
  std::string text;
  for (std::size_t i = 0; i < vectors.size() && i < vectors_named; ++i) {
    text += (i == 0 ? "" : ", ") + in_code(vectors[i]);
  }
  if (vectors.size() > vectors_named) text += fmt::format(" and {} more", vectors.size() - vectors_named);
  return text;
}

// One line for the results of one runtime that share verdict, link and, where there is none, reason.
template <class Wanted>
std::vector<std::string> grouped(const Counted& counted, const Wanted& wanted) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> groups;
  for (const Result& result : counted.certification().results) {
    if (!wanted(result)) continue;
    groups[{result.adapter, verdict_line(result), result.link.empty() ? result.reason : result.link}].push_back(
        result.vector);
  }
  std::vector<std::string> lines;
  for (const auto& [group, vectors] : groups) {
    const auto& [adapter, line, why] = group;
    const std::string reason = in_code(why);
    lines.push_back(fmt::format("{}: {}: {}{}{} ({})", in_code(adapter), line, some_of(vectors),
                                reason.empty() ? "" : ": ", reason, vectors.size()));
  }
  return lines;
}

// A rule's row, and its worst verdict.
struct Row {
  std::string text;
  Worst worst = Worst::holds;
};

Row row_of(const Counted& counted, const RuleSummary& rule) {
  Row row{fmt::format("| {} |", in_code(rule.name))};
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    row.text += fmt::format(" {} |", cell(counted, adapter, rule));
    for (const Axis axis : all_axes) {
      row.worst = std::max(row.worst, worst_of(counted.counts(adapter.name, rule.name, axis)));
    }
  }
  return row;
}

bool is_tested(const Counted& counted, const RuleSummary& rule) {
  return std::ranges::any_of(counted.certification().adapters, [&](const AdapterIdentity& adapter) {
    return std::ranges::any_of(all_axes,
                               [&](Axis axis) { return counted.counts(adapter.name, rule.name, axis).total > 0; });
  });
}

std::vector<std::string> table(const Counted& counted, Worst worst) {
  std::string head = "| rule |";
  std::string line = "|---|";
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    head += fmt::format(" {} |", in_code(adapter.name));
    line += "---|";
  }
  std::vector<std::string> lines{head, line};
  for (const RuleSummary& rule : counted.rules()) {
    const Row row = row_of(counted, rule);
    if (row.worst == worst) lines.push_back(row.text);
  }
  return lines;
}

/// What runtimes make of models that they compute when the files are written otherwise.
void add_rewritings(std::string& text, const Certification& certification) {
  if (!has_rewritings(certification)) return;
  text += "\n### Files written otherwise\n\n";
  std::vector<std::string> lines;
  for (const AdapterIdentity& adapter : certification.adapters)
    lines.push_back(fmt::format("{}: {}", in_code(adapter.name), rewriting_counts(certification, adapter.name)));
  for (const RewritingFindings& findings : rewriting_findings(certification))
    lines.push_back(fmt::format("{}: {}", in_code(findings.adapter), in_code(finding_line(findings))));
  add_lines(text, lines, "- ");
}

// Rules × runtimes: those that fail somewhere are visible; those that are only lenient, unsupported or not run are
// folded; for those that hold everywhere, only the number is shown.
void add_tables(std::string& text, const Counted& counted) {
  constexpr std::size_t head_lines = 2;
  const auto tested =
      std::ranges::count_if(counted.rules(), [&](const auto& rule) { return is_tested(counted, rule); });
  const std::vector<std::string> failing = table(counted, Worst::fails);
  const std::vector<std::string> lenient = table(counted, Worst::lenient);
  const std::vector<std::string> missing = table(counted, Worst::missing);
  const auto rules = [](const std::vector<std::string>& lines) { return lines.size() - head_lines; };
  const std::size_t holding = static_cast<std::size_t>(tested) - rules(failing) - rules(lenient) - rules(missing);
  text += fmt::format("\n### {} of {} rules fail somewhere\n\n{} hold on every runtime.\n\n", rules(failing), tested,
                      holding);
  if (rules(failing) > 0) add_lines(text, failing, "");
  const auto fold = [&](std::string_view title, const std::vector<std::string>& lines) {
    if (rules(lines) > 0) add_folded(text, fmt::format("{}: {}", title, rules(lines)), lines, "");
  };
  fold("Rules that never fail, although some runtime computes an illegal model", lenient);
  fold("Rules that never fail but are not fully supported or shown", missing);
}

std::vector<std::string> untested(const Counted& counted) {
  std::vector<std::string> lines;
  for (const RuleSummary& rule : counted.rules()) {
    if (!is_tested(counted, rule)) lines.push_back(in_code(rule.name));
  }
  return lines;
}

std::string facts(const nlohmann::json& json) {
  std::string text;
  if (!json.is_object()) return text;
  for (const auto& [name, value] : json.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::string foot(const Certification& certification) {
  std::string text = fmt::format("\nManifest {}, {} to {}", in_code(certification.manifest_digest),
                                 in_code(certification.started), in_code(certification.ended));
  if (const std::string kept = kept_text(certification); !kept.empty()) text += "; " + in_code(kept);
  if (!certification.selector.empty()) text += "; selected by " + in_code(certification.selector);
  if (!certification.shard.empty()) text += "; shard " + in_code(certification.shard);
  if (const std::string limits = in_code(facts(certification.limits)); !limits.empty()) text += "; limits: " + limits;
  if (const std::string isolation = in_code(facts(certification.isolation)); !isolation.empty())
    text += "; isolation: " + isolation;
  return text + ".\n";
}

}  // namespace

std::string report_markdown(const Counted& counted) {
  const Certification& certification = counted.certification();
  std::string text = "## ifcert: conformance of If\n\n" + verdict(certification);
  add_headlines(text, counted);
  add_causes(text, certification);
  text += "\n### Runtimes\n";
  add_runtimes(text, counted);
  if (const std::vector<std::string> lines = news(counted); !lines.empty()) {
    text += "\n### Different from the lists\n\n";
    add_lines(text, lines, "- ");
  }
  if (const std::vector<std::string> lines = unlisted(counted); !lines.empty()) {
    text += "\n### Failures on no list\n\n";
    add_lines(text, lines, "- ");
  }
  add_rewritings(text, certification);
  add_tables(text, counted);
  const auto total = [&](const auto& wanted) { return std::ranges::count_if(certification.results, wanted); };
  const auto known = [](const Result& result) { return result.known && is_failure(result.verdict); };
  const auto not_if = [](const Result& result) { return result.verdict == Verdict::not_if; };
  const auto lenient = [](const Result& result) { return result.verdict == Verdict::lenient; };
  const auto not_shown = [](const Result& result) { return result.verdict == Verdict::not_shown; };
  const auto unsupported = [](const Result& result) { return result.verdict == Verdict::unsupported && !result.known; };
  add_folded(text, fmt::format("Known failures: {}", total(known)), grouped(counted, known));
  add_folded(text, fmt::format("Not the If: {}", total(not_if)), grouped(counted, not_if));
  add_folded(text, fmt::format("Lenient: {}", total(lenient)), grouped(counted, lenient));
  add_folded(text, fmt::format("Not shown: {}", total(not_shown)), grouped(counted, not_shown));
  add_folded(text, fmt::format("Unsupported: {}", total(unsupported)), grouped(counted, unsupported));
  add_profiles(text, certification);
  add_folded(text, "Rules that no vector here tests",
             certification.selector.empty() ? untested(counted) : std::vector<std::string>{});
  return text + foot(certification);
}

}  // namespace ifcert::conformance
