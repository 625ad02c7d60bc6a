#include "conformance/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/cost.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t most_breaches = 50;

/// How many columns a text takes: its code points (no text here is wider).
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

enum class Colour { none, green, yellow, red };

struct Cell {
  std::string text{};
  Colour colour = Colour::none;
};

std::string painted(const Cell& cell, std::size_t width, bool colours) {
  std::string text = padded(cell.text, width);
  if (!colours || cell.colour == Colour::none) return text;
  const int code = cell.colour == Colour::green ? 32 : (cell.colour == Colour::yellow ? 33 : 31);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

Cell cell_of(const Tally& tally) {
  if (tally.total == 0) return {"-"};
  Cell cell{fmt::format("{:>2} of {:>2}", tally.passed, tally.total), Colour::green};
  if (tally.failed != 0) cell.text += fmt::format(" ✗{}", tally.failed);
  if (tally.unsupported != 0) cell.text += fmt::format(" –{}", tally.unsupported);
  const std::size_t not_judged = tally.total - tally.passed - tally.failed - tally.unsupported;
  if (not_judged != 0) cell.text += fmt::format(" ?{}", not_judged);
  if (tally.passed != tally.total) cell.colour = tally.failed + not_judged != 0 ? Colour::red : Colour::yellow;
  return cell;
}

using Row = std::vector<Cell>;

Tally sum(const Tally& left, const Tally& right) {
  return {left.passed + right.passed, left.failed + right.failed, left.unsupported + right.unsupported,
          left.other + right.other, left.total + right.total};
}

/// The rows below the head: a rule each, then how many rules hold, then the vectors of all.
std::vector<Row> rows_of(const Certification& certification) {
  const auto tallies = tally(certification);
  std::vector<Row> rows;
  std::vector<Tally> vectors(certification.adapters.size());
  std::vector<Tally> rules(certification.adapters.size());
  for (const RuleSummary& rule : certification.rules) {
    Row row{{rule.name}};
    for (std::size_t i = 0; i < certification.adapters.size(); ++i) {
      const auto found = tallies.find({certification.adapters[i].name, rule.name});
      const Tally counts = found == tallies.end() ? Tally{} : found->second;
      row.push_back(cell_of(counts));
      vectors[i] = sum(vectors[i], counts);
      rules[i].total += counts.total != 0 ? 1 : 0;
      rules[i].passed += counts.total != 0 && counts.passed == counts.total ? 1 : 0;
    }
    rows.push_back(std::move(row));
  }
  Row holding{{"rules that hold"}};
  Row all{{"vectors that pass"}};
  for (std::size_t i = 0; i < certification.adapters.size(); ++i) {
    const bool hold = rules[i].passed == rules[i].total;
    holding.push_back(
        {fmt::format("{:>2} of {:>2}", rules[i].passed, rules[i].total), hold ? Colour::green : Colour::red});
    all.push_back(cell_of(vectors[i]));
  }
  rows.push_back(std::move(holding));
  rows.push_back(std::move(all));
  return rows;
}

Row head_of(const Certification& certification, bool numbered) {
  Row head{{"rule"}};
  for (std::size_t i = 0; i < certification.adapters.size(); ++i) {
    head.push_back({numbered ? fmt::format("[{}]", i + 1) : certification.adapters[i].name});
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

std::string verdict_on_lists(const Certification& certification) {
  const std::size_t count = certification.breaches.size();
  if (certification.limits.is_object() && certification.limits.value("strict", false)) {
    return fmt::format("{} failures, held against no known-failure list (--strict)\n", count);
  }
  const auto known = std::ranges::count_if(certification.results, &Result::known);
  if (count == 0) return fmt::format("All as the known-failure lists say ({} known failures)\n", known);
  return fmt::format("{} results are not as the known-failure lists say ({} known failures are)\n", count, known);
}

}  // namespace

std::string table_text(const Certification& certification, std::size_t width, bool colours) {
  std::vector<Row> rows = rows_of(certification);
  rows.insert(rows.begin(), head_of(certification, false));
  std::string text;
  if (line_width(widths_of(rows)) > width) {
    rows.front() = head_of(certification, true);
    for (std::size_t i = 0; i < certification.adapters.size(); ++i) {
      text += fmt::format("[{}] {} {}\n", i + 1, certification.adapters[i].name, certification.adapters[i].version);
    }
    text += '\n';
  }
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string rule;
  for (std::size_t i = 0; i < line_width(widths); ++i) rule += "─";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += line_of(rows[i], widths, colours);
    if (i == 0 || i + 3 == rows.size()) text += rule + "\n";
  }
  text += "\n✗ fails   – unsupported   ? not judged\n\n";
  for (const Cost& cost : costs_of(certification)) text += cost_line(cost) + "\n";
  return text;
}

std::string breaches_text(const Certification& certification) {
  const auto& breaches = certification.breaches;
  std::string text = verdict_on_lists(certification);
  for (std::size_t i = 0; i < std::min(breaches.size(), most_breaches); ++i) {
    const ListBreach& breach = breaches[i];
    if (i == 0 || breaches[i - 1].adapter != breach.adapter) text += fmt::format("{}\n", breach.adapter);
    text += fmt::format("  {}: {}\n", breach.vector, breach.message);
  }
  const std::size_t untold = breaches.size() - std::min(breaches.size(), most_breaches);
  return text + (untold == 0 ? "" : fmt::format("… and {} more, in the report\n", untold));
}

}  // namespace ifcert::conformance
