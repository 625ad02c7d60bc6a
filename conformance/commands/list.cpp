// ifcert list rules|vectors|adapters|profiles|rewritings [--json]

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/allowance.hpp>
#include <ifcert/message.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/rule_card.hpp"
#include "conformance/rewritings/rewriting.hpp"
#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/suite/profiles.hpp"
#include "conformance/suite/rule_table.hpp"
#include "conformance/suite/sentences.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

ordered_json places(const RuleCard& card) {
  ordered_json list = ordered_json::array();
  for (const CheckPlace& place : card.places) list.push_back({{"file", place.file}, {"function", place.function}});
  return list;
}

ordered_json sentences(const RuleCard& card) {
  ordered_json list = ordered_json::array();
  for (const Sentence& sentence : card.sentences) list.push_back(sentence.id);
  return list;
}

ordered_json without(const RuleCard& card) {
  ordered_json list = ordered_json::array();
  for (const NoVectors& none : card.without) list.push_back({{"vectors", none.kinds}, {"why", none.why}});
  return list;
}

ordered_json deviations(const RuleCard& card) {
  ordered_json list = ordered_json::array();
  for (const Deviation& each : card.deviations) {
    list.push_back({{"adapter", each.adapter}, {"vectors", each.vectors}, {"link", each.link}});
  }
  return list;
}

ordered_json rules(const Project& project, const Selection& /*vectors alone*/) {
  const Knowledge knowledge = read_knowledge(project, [](const VectorSummary&) { return false; });
  ordered_json list = ordered_json::array();
  for (const RuleSummary& rule : all_rules()) {
    RuleCard card = card_of(rule, knowledge);
    const auto count = [&card](Axis axis) { return card.vectors[axis].size(); };
    const auto allowance = allowance_of(rule.name);
    list.push_back({{"name", rule.name},
                    {"vectors", count(Axis::computes) + count(Axis::diagnoses) + count(Axis::open)},
                    {"holds", rule.requirement},
                    {"clause", rule.clause},
                    {"group", to_string(rule.group)},
                    {"sentences", sentences(card)},
                    {"places", places(card)},
                    {"computes", count(Axis::computes)},
                    {"diagnoses", count(Axis::diagnoses)},
                    {"open", count(Axis::open)},
                    {"without", without(card)},
                    {"deviations", deviations(card)},
                    {"allowable", allowance.allowable},
                    {"allowance", allowance.why}});
  }
  return list;
}

ordered_json vectors(const Project& project, const Selection& selection) {
  ordered_json list = ordered_json::array();
  for (const VectorSummary& summary : selected(summaries(read_suite(project)), selection)) {
    list.push_back({{"id", summary.id},
                    {"axis", to_string(summary.axis)},
                    {"title", summary.title},
                    {"rule", summary.rule},
                    {"coordinates", ordered_json(summary.coordinates)}});
  }
  return list;
}

/// Whether it is installed, or can be, as a person reads it.
std::string state_of(bool installed, const std::string& missing) {
  if (installed) return "installed";
  return missing.empty() ? "can be installed" : "cannot be installed here";
}

/// "13 s, 210 MB"
std::string cost_of(const Adapter& adapter) {
  if (adapter.environment.empty()) return "nothing to install";
  if (!adapter.cost) return "not measured";
  return fmt::format("{:.0f} s, {:.0f} MB", adapter.cost->seconds, adapter.cost->megabytes);
}

ordered_json adapters(const Project& project, const Selection& /*vectors alone*/) {
  ordered_json list = ordered_json::array();
  for (const std::string& name : adapter_names(project)) {
    const Adapter adapter = read_adapter(project, name);
    const bool installed = is_installed(project, adapter);
    const std::string missing = installed ? "" : missing_toolchain(adapter);
    ordered_json cost;  // null where nobody measured it
    if (adapter.environment.empty())
      cost = {{"seconds", 0}, {"megabytes", 0}};
    else if (adapter.cost)
      cost = {{"seconds", adapter.cost->seconds}, {"megabytes", adapter.cost->megabytes}};
    list.push_back({{"name", adapter.name},
                    {"version", adapter.version},
                    {"state", state_of(installed, missing)},
                    {"costs", cost_of(adapter)},
                    {"missing", missing},
                    {"installed", installed},
                    {"cost", cost},
                    {"home", adapter.home},
                    {"systems", adapter.systems}});
  }
  return list;
}

ordered_json profiles(const Project& project, const Selection& /*vectors alone*/) {
  std::map<std::string, std::size_t, decltype(&is_listed_before)> counts(&is_listed_before);
  for (const Vector& vector : read_manifest(project).vectors) {
    for (const std::string& profile : vector.summary.profiles) ++counts[profile];
  }
  ordered_json list = ordered_json::array();
  for (const auto& [name, count] : counts)
    list.push_back({{"name", name}, {"vectors", count}, {"contains", description_of(name)}});
  return list;
}

ordered_json rewritings(const Project& project, const Selection& /*vectors alone*/) {
  std::map<std::string_view, ordered_json> listed;
  const SentenceTable table = read_sentences(project);
  for (const Sentence& each : table.sentences)
    listed.emplace(each.id, ordered_json{{"document", each.document},
                                         {"url", each.url},
                                         {"place", each.place},
                                         {"quote", each.quote.empty() ? each.fact : each.quote}});
  ordered_json list = ordered_json::array();
  for (const Rewriting& rewriting : all_rewritings()) {
    ordered_json because = ordered_json::array();
    for (const std::string_view id : rewriting.sentences) because.push_back(listed.at(id));
    list.push_back({{"name", rewriting.name},
                    {"system", rewriting.system},
                    {"does", rewriting.what},
                    {"because", std::move(because)}});
  }
  return list;
}

std::string cell(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

/// The first members of each entry in columns; the others are for --json.
void print_columns(const ordered_json& list, std::size_t shown) {
  std::vector<std::size_t> widths(shown);
  for (const ordered_json& entry : list) {
    std::size_t column = 0;
    for (const auto& [name, value] : entry.items()) {
      if (column < shown) widths.at(column) = std::max(widths.at(column), cell(value).size());
      ++column;
    }
  }
  for (const ordered_json& entry : list) {
    std::string line;
    std::size_t column = 0;
    for (const auto& [name, value] : entry.items()) {
      if (column < shown) line += fmt::format("{:<{}}  ", cell(value), widths.at(column));
      ++column;
    }
    fmt::print("{}\n", printable(line.substr(0, line.find_last_not_of(' ') + 1)));
  }
}

struct Listing {
  ordered_json (*list)(const Project&, const Selection&);
  std::size_t columns;
};

const std::map<std::string, Listing>& listings() {
  static const std::map<std::string, Listing> all{{"rules", {rules, 3}},
                                                  {"vectors", {vectors, 3}},
                                                  {"adapters", {adapters, 5}},
                                                  {"profiles", {profiles, 3}},
                                                  {"rewritings", {rewritings, 3}}};
  return all;
}

}  // namespace

void print_list(const std::string& what, bool as_json, const Selection& selection) {
  const Listing& listing = listings().at(what);
  if (what != "vectors" && !selection.text().empty())
    throw Error(fmt::format("{} selects vectors; 'ifcert list {}' lists none", selection.text(), what));
  const ordered_json list = listing.list(find_project(), selection);
  if (as_json) {
    fmt::print("{}\n", list.dump(2, ' ', true));
  } else {
    print_columns(list, listing.columns);
  }
}

void add_list(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("list", "List the rules, the vectors, the adapters, the profiles or the rewritings");
  auto what = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  auto selection = std::make_shared<Selection>();
  one_of(command->add_option("adapters|profiles|rewritings|rules|vectors", *what, "what to list")->required(),
         {"adapters", "profiles", "rewritings", "rules", "vectors"});
  command->add_flag("--json", *as_json, "all details, as JSON");
  command->add_option("--where", selection->coordinates, where_text)
      ->type_name("DIMENSION=VALUE")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  examples(*command, {{"ifcert list adapters", "name, version, whether it is or can be installed, and what that costs"},
                      {"ifcert list rules", "name, number of vectors, and what the rule requires"},
                      {"ifcert list vectors --where place=scan,capture=2", "those of a cross (docs/coverage.md)"},
                      {"ifcert list rewritings", "name, system, and what it does to a model's file"},
                      {"ifcert list vectors --json", "for programs"}});
  command->callback([what, as_json, selection, &exit_code] {
    print_list(*what, *as_json, *selection);
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
