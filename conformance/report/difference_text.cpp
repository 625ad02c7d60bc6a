#include "conformance/report/difference_text.hpp"

#include <fmt/format.h>

#include <array>
#include <ifcert/message.hpp>

#include "conformance/system/one_line.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

constexpr std::array all_changes{Change::broke, Change::fixed,   Change::changed,
                                 Change::added, Change::removed, Change::unknown};
constexpr const char* other_vectors =
    "The two results are of different versions of the vectors; vectors are compared by their ids.";
constexpr const char* other_vectors_by_rule =
    "The two are of different versions of the vectors: where a rule's number of vectors differs, the change is "
    "unknown.";
constexpr const char* by_rule =
    "Compared rule by rule: a certificate has the number of each verdict, and names only the failures that its list of "
    "known\nfailures has. Not seen from it: other vectors that changed places within a rule; values, messages and "
    "times. Two folders\nof results are compared vector by vector.";

/// "onnxruntime 1.30.0 → 1.31.1", or "mine 1 → other 2".
std::string heading_of(const AdapterDifference& adapter) {
  const Certified &before = adapter.before, &after = adapter.after;
  if (before.name != after.name)
    return fmt::format("{} {} → {} {}", before.name, before.version, after.name, after.version);
  if (before.version != after.version) return fmt::format("{} {} → {}", after.name, before.version, after.version);
  return fmt::format("{} {}", after.name, after.version);
}

/// "2 broke, 1 fixed, 4255 as before".
std::string counts(const AdapterDifference& adapter, bool of_rules) {
  std::string text;
  for (const Change change : all_changes) {
    if (const std::size_t count = adapter.count(change); count > 0)
      text += fmt::format("{} {}, ", count, to_string(change));
  }
  return text + fmt::format("{} as before{}", adapter.same, of_rules ? " (rules, each axis counted once)" : "");
}

/// The changed thing: a vector, or an axis of the rule.
const std::string& subject_of(const VectorChange& each) {
  return each.vector.empty() ? each.axis : each.vector;
}

std::string verdicts(const VectorChange& each) {
  if (each.before.empty()) return each.after;
  if (each.after.empty()) return fmt::format("was {}", each.before);
  return fmt::format("{} → {}", each.before, each.after);
}

/// How much is shown of a message; names of vectors are shown whole.
std::size_t longest(const CertificationDifference& found) {
  return found.by_rule ? 4000 : 160;
}

std::string in_a_table(std::string_view text, std::size_t length = 160) {
  std::string cell;
  for (const char letter : one_line(text, length)) {
    if (letter == '|' || letter == '<' || letter == '`' || letter == '*' || letter == '\\') cell += '\\';
    cell += letter;
  }
  return cell;
}

std::string list_of(const std::vector<std::string>& names) {
  return printable(fmt::format("{}", fmt::join(names, ", ")));
}

std::string adapters_on_one_side(const CertificationDifference& found) {
  std::string text;
  if (!found.only_before.empty()) text += fmt::format("only in the first: {}\n", list_of(found.only_before));
  if (!found.only_after.empty()) text += fmt::format("only in the second: {}\n", list_of(found.only_after));
  return text;
}

}  // namespace

std::string difference_text(const CertificationDifference& found) {
  std::string text;
  for (const AdapterDifference& adapter : found.adapters) {
    text += fmt::format("{}: {}\n", printable(heading_of(adapter)), counts(adapter, found.by_rule));
    std::string heading;
    for (const VectorChange& each : adapter.differences) {
      if (const std::string its = fmt::format("  {} {}", to_string(each.change), each.rule); its != heading) {
        text += printable(its) + "\n";
        heading = its;
      }
      text += fmt::format("    {}: {}\n", printable(subject_of(each)), verdicts(each));
      if (!each.reason.empty()) text += fmt::format("      {}\n", one_line(each.reason, longest(found)));
    }
  }
  if (found.by_rule) text += fmt::format("{}\n", by_rule);
  if (!found.same_vectors) text += fmt::format("{}\n", found.by_rule ? other_vectors_by_rule : other_vectors);
  return text + adapters_on_one_side(found);
}

std::string difference_markdown(const CertificationDifference& found) {
  std::string text;
  for (const AdapterDifference& adapter : found.adapters) {
    text += fmt::format("## {}\n\n{}\n", in_a_table(heading_of(adapter)), counts(adapter, found.by_rule));
    if (adapter.differences.empty()) continue;
    text += fmt::format("\n| | rule | {} | before | after | |\n|---|---|---|---|---|---|\n",
                        found.by_rule ? "axis" : "vector");
    for (const VectorChange& each : adapter.differences) {
      text +=
          fmt::format("| {} | `{}` | `{}` | {} | {} | {} |\n", to_string(each.change), printable(each.rule),
                      printable(subject_of(each)), each.before, each.after, in_a_table(each.reason, longest(found)));
    }
  }
  if (found.by_rule) text += fmt::format("\n{}\n", by_rule);
  if (!found.same_vectors) text += fmt::format("\n{}\n", found.by_rule ? other_vectors_by_rule : other_vectors);
  const std::string others = adapters_on_one_side(found);
  return others.empty() ? text : fmt::format("{}\n{}", text, others);
}

ordered_json difference_json(const CertificationDifference& found) {
  ordered_json adapters = ordered_json::array();
  for (const AdapterDifference& adapter : found.adapters) {
    ordered_json differences = ordered_json::array();
    for (const VectorChange& each : adapter.differences) {
      ordered_json entry{{"change", to_string(each.change)}, {"rule", each.rule}};
      if (each.vector.empty())
        entry["axis"] = each.axis;
      else
        entry["vector"] = each.vector;
      if (!each.before.empty()) entry["before"] = each.before;
      if (!each.after.empty()) entry["after"] = each.after;
      if (!each.reason.empty()) entry["reason"] = each.reason;
      differences.push_back(std::move(entry));
    }
    const auto certified = [](const Certified& one) {
      return ordered_json{{"name", one.name}, {"version", one.version}};
    };
    adapters.push_back({{"before", certified(adapter.before)},
                        {"after", certified(adapter.after)},
                        {"same", adapter.same},
                        {"differences", std::move(differences)}});
  }
  return {{"diff", 2},
          {"compared", found.by_rule ? "rules" : "vectors"},
          {"same_vectors", found.same_vectors},
          {"adapters", std::move(adapters)},
          {"only_before", found.only_before},
          {"only_after", found.only_after}};
}

}  // namespace ifcert::conformance
