#include "conformance/report/certification_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <map>
#include <vector>

#include "conformance/report/headline.hpp"
#include "conformance/results/cost.hpp"
#include "conformance/results/counts.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t most_breaches = 50;

/// The number of columns of a text: its code points (no text here has wider ones).
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

enum class Colour { none, green, yellow, magenta, red };

struct Cell {
  std::string text{};
  Colour colour = Colour::none;
};

std::string painted(const Cell& cell, std::size_t width, bool colours) {
  std::string text = padded(cell.text, width);
  if (!colours || cell.colour == Colour::none) return text;
  static const std::map<Colour, int> codes{
      {Colour::green, 32}, {Colour::yellow, 33}, {Colour::magenta, 35}, {Colour::red, 31}};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes.at(cell.colour), text);
}

/// The colour of the worst verdict among the counts. Leniency has its own, so that nobody takes it for a wrong value.
Colour colour_of(const Counts& counts, std::size_t not_judged) {
  if (counts.failed() + not_judged != 0) return Colour::red;
  if (counts.of(Verdict::lenient) != 0) return Colour::magenta;
  return counts.holds() ? Colour::green : Colour::yellow;
}

Cell cell_of(const Counts& counts) {
  if (counts.total == 0) return {"-"};
  const std::size_t not_judged = counts.of(Verdict::harness) + counts.of(Verdict::not_run);
  Cell cell{fmt::format("{:>2} of {:>2}", counts.of(Verdict::pass), counts.counting()), colour_of(counts, not_judged)};
  const auto add = [&cell](const char* mark, std::size_t count) {
    if (count != 0) cell.text += fmt::format(" {}{}", mark, count);
  };
  add("✗", counts.failed());
  add("~", counts.of(Verdict::lenient));
  add("∅", counts.of(Verdict::not_shown));
  add("–", counts.of(Verdict::unsupported));
  add("≠", counts.of(Verdict::not_if));
  add("?", not_judged);
  return cell;
}

using Row = std::vector<Cell>;

const char* meaning_of(Axis axis) {
  if (axis == Axis::computes) return "computes: the model is legal and the values must be right";
  if (axis == Axis::diagnoses) return "diagnoses: the model is illegal and a good implementation refuses it";
  return "open: the texts leave the outcome open, but a wrong value or a crash is still wrong";
}

/// A row for each rule that has vectors on the axis, then how many of them hold, and the vectors of all.
std::vector<Row> rows_of(const Counted& counted, Axis axis) {
  const auto& adapters = counted.certification().adapters;
  std::vector<Row> rows;
  for (const RuleSummary& rule : counted.rules()) {
    Row row{{rule.name}};
    for (const AdapterIdentity& adapter : adapters)
      row.push_back(cell_of(counted.counts(adapter.name, rule.name, axis)));
    if (std::ranges::any_of(row, [](const Cell& cell) { return cell.colour != Colour::none; })) rows.push_back(row);
  }
  if (rows.empty()) return rows;
  Row holding{{"rules that hold"}};
  Row all{{"vectors that pass"}};
  for (const AdapterIdentity& adapter : adapters) {
    const Total total = counted.total(adapter.name, axis);
    all.push_back(cell_of(total.vectors));
    holding.push_back({fmt::format("{:>2} of {:>2}", total.rules_holding, total.rules), all.back().colour});
  }
  rows.push_back(std::move(holding));
  rows.push_back(std::move(all));
  return rows;
}

Row head_of(const Certification& certification, bool numbered) {
  Row head{{"rule"}};
  for (std::size_t i = 0; i < certification.adapters.size(); ++i) {
    head.push_back({numbered ? fmt::format("[{}]", i + 1) : printable(certification.adapters[i].name)});
  }
  return head;
}

std::vector<std::size_t> widths_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i].text));
  }
  return widths;
}

std::size_t line_width(const std::vector<std::size_t>& widths) {
  std::size_t total = (widths.size() - 1) * gap;
  for (const std::size_t width : widths) total += width;
  return total;
}

std::string line_of(const Row& row, const std::vector<std::size_t>& widths, bool colours) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != 0) line += std::string(gap, ' ');
    line += i + 1 < row.size() || colours ? painted(row[i], widths[i], colours) : row[i].text;
  }
  return line + "\n";
}

std::string counted_words(std::size_t failures, std::size_t leniencies) {
  std::string text = fmt::format("{} failure{}", failures, failures == 1 ? "" : "s");
  if (leniencies == 0) return text;
  return text + fmt::format(" and {} lenienc{}", leniencies, leniencies == 1 ? "y" : "ies");
}

std::string verdict_on_lists(const Certification& certification) {
  const auto& results = certification.results;
  const auto count = [&results](const auto& wanted) {
    return static_cast<std::size_t>(std::ranges::count_if(results, wanted));
  };
  if (certification.limits.is_object() && certification.limits.value("strict", false)) {
    const std::size_t failures = count([](const Result& result) { return is_failure(result.verdict); });
    const std::size_t lenient = count([](const Result& result) { return result.verdict == Verdict::lenient; });
    return fmt::format("{}, compared with no known-failure list (--strict)\n", counted_words(failures, lenient));
  }
  const std::size_t failures = count([](const Result& result) { return result.known && is_failure(result.verdict); });
  const std::size_t lenient =
      count([](const Result& result) { return result.known && result.verdict == Verdict::lenient; });
  const std::string known = counted_words(failures, lenient);
  if (certification.breaches.empty())
    return fmt::format("All results match the known-failure lists (known: {})\n", known);
  const std::size_t breaches = certification.breaches.size();
  return fmt::format("{} {} from the known-failure lists (known: {})\n", breaches,
                     breaches == 1 ? "result differs" : "results differ", known);
}

}  // namespace

std::string table_text(const Certification& certification, std::size_t width, bool colours) {
  const Counted counted(certification);
  std::vector<Row> rows{head_of(certification, false)};
  std::map<std::size_t, Axis> sections;  // row number → the axis that begins there
  for (const Axis axis : all_axes) {
    const std::vector<Row> of_axis = rows_of(counted, axis);
    if (!of_axis.empty()) sections.emplace(rows.size(), axis);
    rows.insert(rows.end(), of_axis.begin(), of_axis.end());
  }
  std::string text;
  if (line_width(widths_of(rows)) > width) {
    rows.front() = head_of(certification, true);
    for (std::size_t i = 0; i < certification.adapters.size(); ++i) {
      text += fmt::format("[{}] {} {}\n", i + 1, printable(certification.adapters[i].name),
                          printable(certification.adapters[i].version));
    }
    text += '\n';
  }
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string line;
  for (std::size_t i = 0; i < line_width(widths); ++i) line += "─";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (const auto section = sections.find(i); section != sections.end()) {
      text += fmt::format("{}\n{}\n{}\n", line, meaning_of(section->second), line);
    }
    text += line_of(rows[i], widths, colours);
  }
  text += line + "\n\n✗ fails   ~ lenient   ∅ not shown   – unsupported   ≠ not the If   ? not judged\n\n";
  for (const AdapterIdentity& adapter : certification.adapters)
    text += fmt::format("{}: {}\n", printable(adapter.name), headline_text(headline_of(counted, adapter.name)));
  for (const Cost& cost : costs_of(certification)) text += cost_line(cost) + "\n";
  if (const std::string kept = kept_text(certification); !kept.empty()) text += printable(kept) + "\n";
  return text;
}

std::string breaches_text(const Certification& certification) {
  const auto& breaches = certification.breaches;
  std::string text = verdict_on_lists(certification);
  for (std::size_t i = 0; i < std::min(breaches.size(), most_breaches); ++i) {
    const ListBreach& breach = breaches[i];
    if (i == 0 || breaches[i - 1].adapter != breach.adapter) text += fmt::format("{}\n", printable(breach.adapter));
    text += fmt::format("  {}: {}\n", printable(breach.vector), printable(breach.message));
  }
  const std::size_t untold = breaches.size() - std::min(breaches.size(), most_breaches);
  return text + (untold == 0 ? "" : fmt::format("… and {} more, in the report\n", untold));
}

}  // namespace ifcert::conformance
