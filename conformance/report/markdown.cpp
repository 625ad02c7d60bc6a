#include <fmt/format.h>

#include <vector>

#include "conformance/file.hpp"
#include "conformance/report/formats.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t lines_listed = 50;

// Text that Markdown shows as it is, in one line.
std::string plain(const std::string& text) {
  std::string shown;
  for (const char letter : printable(text)) {
    if (static_cast<unsigned char>(letter) < 0x20) {
      shown += ' ';
    } else if (letter == '<') {
      shown += "&lt;";
    } else if (letter == '&') {
      shown += "&amp;";
    } else if (letter == '@') {
      shown += "&#64;";  // mentions nobody
    } else {
      if (std::string_view("\\`*_[]|~#!").find(letter) != std::string_view::npos) shown += '\\';
      shown += letter;
    }
  }
  return shown;
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

std::string cell(const Counts& counts) {
  if (counts.total == 0) return "no vector";
  const std::size_t passed = counts.of(Verdict::pass);
  if (counts.holds()) return fmt::format("✓ {} of {}", passed, counts.total);
  const bool only_missing = passed + counts.of(Verdict::unsupported) + counts.of(Verdict::not_run) == counts.total;
  return fmt::format("{} {} of {} ({})", only_missing ? "–" : "✗", passed, counts.total, remainder(counts));
}

std::string sentence(const AdapterIdentity& adapter, const Total& total) {
  const std::string rest = remainder(total.vectors);
  return fmt::format("- **{}** ({} {}): {} of {} rules hold; {} of {} vectors pass{}{}\n", plain(adapter.name),
                     plain(adapter.runtime), plain(adapter.version), total.rules_holding, total.rules,
                     total.vectors.of(Verdict::pass), total.vectors.total, rest.empty() ? "" : ", " + rest,
                     total.vectors.known == 0 ? "" : fmt::format("; {} known", total.vectors.known));
}

std::string table(const Counted& counted) {
  const auto& adapters = counted.certification().adapters;
  std::string head = "| rule |";
  std::string line = "|---|";
  std::string foot = "| **all** |";
  for (const AdapterIdentity& adapter : adapters) {
    head += fmt::format(" {} |", plain(adapter.name));
    line += "---|";
    const Counts all = counted.total(adapter.name).vectors;
    foot += fmt::format(" **{} of {}** |", all.of(Verdict::pass), all.total);
  }
  std::string rows;
  for (const RuleSummary& rule : counted.rules()) {
    std::string row = fmt::format("| {} |", plain(rule.name));
    bool any = false;
    for (const AdapterIdentity& adapter : adapters) {
      const Counts counts = counted.counts(adapter.name, rule.name);
      any = any || counts.total > 0;
      row += fmt::format(" {} |", cell(counts));
    }
    if (any || counted.certification().selector.empty()) rows += row + "\n";
  }
  return fmt::format("{}\n{}\n{}{}\n", head, line, rows, foot);
}

// A folded list, cut where it is too long for a pull request.
std::string folded(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = fmt::format("\n<details><summary>{}: {}</summary>\n\n", title, lines.size());
  for (std::size_t i = 0; i < lines.size() && i < lines_listed; ++i) text += fmt::format("- {}\n", lines[i]);
  if (lines.size() > lines_listed) text += fmt::format("- and {} more, in report.html\n", lines.size() - lines_listed);
  return text + "\n</details>\n";
}

std::string breaches(const Certification& certification) {
  if (certification.breaches.empty()) return "All is as the known-failure lists say.\n";
  std::vector<std::string> lines;
  lines.reserve(certification.breaches.size());
  for (const ListBreach& breach : certification.breaches) {
    lines.push_back(fmt::format("{}: {}, {}: {}", to_string(breach.kind), plain(breach.adapter), plain(breach.vector),
                                plain(breach.message)));
  }
  return "**Not all is as the known-failure lists say.**\n" + folded("Disagreements", lines);
}

std::string failures(const Certification& certification) {
  std::vector<std::string> lines;
  for (const Result& result : certification.results) {
    if (result.verdict == Verdict::pass || result.verdict == Verdict::unsupported) continue;
    lines.push_back(fmt::format("{}, {}: {}{}{}", plain(result.adapter), plain(result.vector),
                                plain(verdict_line(result)), result.known ? ", known" : "",
                                result.reason.empty() ? "" : ": " + plain(result.reason)));
  }
  return folded("Vectors that neither pass nor are unsupported", lines);
}

}  // namespace

std::string report_markdown(const Counted& counted) {
  const Certification& certification = counted.certification();
  std::string sentences;
  for (const AdapterIdentity& adapter : certification.adapters) {
    sentences += sentence(adapter, counted.total(adapter.name));
  }
  return fmt::format("## ifcert: conformance of If\n\n{}\n{}\n{}{}\nManifest {}, {}.\n", sentences, table(counted),
                     breaches(certification), failures(certification), plain(certification.manifest_digest),
                     plain(certification.started));
}

}  // namespace ifcert::conformance
