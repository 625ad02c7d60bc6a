// ifcert explain RULE|VECTOR|SENTENCE|GLOB [--all]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/allowance.hpp>
#include <ifcert/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/rule_card.hpp"
#include "conformance/suite/model_text.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/suite/rule_table.hpp"
#include "conformance/suite/selection.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

std::string indented(const std::string& text, const std::string& margin) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += (end == at ? "" : margin) + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

std::string named_values_text(const json& named_values) {
  std::string text;
  for (const json& named : named_values) {
    text += fmt::format("      {} = {}\n", named.at("name").get<std::string>(), readable(named.at("value")));
  }
  return text;
}

std::string outcome_text(const json& outcome) {
  if (outcome.contains("loaded")) return "loaded\n";
  if (outcome.contains("refused")) return "refused, in this step or a later one\n";
  if (outcome.contains("outputs")) return "outputs\n" + named_values_text(outcome.at("outputs"));
  std::string text = fmt::format("any of these ({}):\n", outcome.at("reason").get<std::string>());
  for (const json& one : outcome.at("either")) text += "    - " + outcome_text(one);
  return text;
}

std::string run_text(const json& run) {
  return named_values_text(run.at("inputs")) + "    expects " + outcome_text(run.at("expect"));
}

std::string step_text(const json& step) {
  if (step.contains("load")) return "load\n    expects " + outcome_text(step.at("load").at("expect"));
  if (step.contains("reread")) {
    return fmt::format("the outputs held since step {}, read again\n    expects {}",
                       step.at("reread").at("step").get<std::size_t>(), outcome_text(step.at("reread").at("expect")));
  }
  if (step.contains("run")) {
    const json& run = step.at("run");
    return (run.value("hold", false) ? "run, and hold the outputs\n" : "run\n") + run_text(run);
  }
  const json& runs = step.at("concurrent").at("runs");
  std::string text = fmt::format("{} runs at once\n", runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) text += fmt::format("    run {}\n", i) + run_text(runs[i]);
  return text;
}

std::string steps_text(const json& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) text += fmt::format("  step {}: {}", i, step_text(steps[i]));
  return text;
}

std::string why_text(const json& why) {
  std::string text;
  for (const json& reason : why) {
    const bool issue = reason.contains("issue");
    text += fmt::format("  {}: {}\n", reason.at(issue ? "issue" : "source").get<std::string>(),
                        reason.at(issue ? "note" : "clause").get<std::string>());
  }
  return text;
}

std::string vector_text(const Vector& vector) {
  const VectorSummary& summary = vector.summary;
  if (!vector.unusable.empty())
    throw Error(fmt::format("the vector {} cannot be used: {}", summary.id, vector.unusable));
  std::string text =
      fmt::format("{}\n  {}\n  counts for {} ({})\n", summary.id, summary.title, summary.rule, to_string(summary.axis));
  if (!summary.twin.empty()) text += fmt::format("  differs only in its fault from {}\n", summary.twin);
  text += fmt::format("  declared in {}\n", summary.source);
  text += "\nwhy\n" + why_text(summary.why);
  if (!summary.obliged_by.is_null())
    text += "\nobliges the implementation to refuse\n" + why_text(json::array({summary.obliged_by}));
  text += "\nsteps\n" + steps_text(summary.steps);
  text += fmt::format("\nmodel ({})\n{}", summary.model.string(), indented(text_of_vector(summary), "  "));
  return text +
         fmt::format("\nreproduce\n  ifcert certify ADAPTER --vector '{0}' --out 'reproduced/{0}'\n", summary.id);
}

std::string source_text(const Sentence& sentence) {
  std::string text = fmt::format("{}, {}", sentence.document, sentence.place);
  if (sentence.versions.empty()) return text;
  return fmt::format("{} (in version{} {})", text, sentence.versions.size() == 1 ? "" : "s",
                     fmt::join(sentence.versions, ", "));
}

/// Cuts long lists, unless all is requested.
struct Cut {
  bool all = false;

  std::string text(const std::vector<std::string>& lines, std::string_view kind, std::string_view margin = "  ") const {
    constexpr std::size_t most = 20;
    const std::size_t shown = all || lines.size() <= most + 1 ? lines.size() : most;
    std::string text =
        fmt::format("{}", fmt::join(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown), ""));
    if (shown == lines.size()) return text;
    return text + fmt::format("{}… and {} more {}; --all shows them\n", margin, lines.size() - shown, kind);
  }
};

std::string vectors_text(std::string_view heading, const RuleCard& card, Axis axis, const Cut& cut) {
  const auto vectors = card.vectors.find(axis);
  if (vectors == card.vectors.end()) return "";
  std::vector<std::string> lines;
  for (const VectorSummary& vector : vectors->second)
    lines.push_back(fmt::format("    {}: {}\n", vector.id, vector.title));
  return fmt::format("  {}\n{}", heading, cut.text(lines, "vectors", "    "));
}

std::string rule_text(const RuleCard& card, const Cut& cut) {
  std::string text = fmt::format("{}\n  {}\n\nabout\n  {}\n\nclause\n  {}\n\nsentences\n", card.rule.name,
                                 card.rule.requirement, to_string(card.rule.group), card.rule.clause);
  for (const Sentence& sentence : card.sentences) {
    text += fmt::format("  {}: \"{}\"\n    {}\n", sentence.id, sentence.quote, source_text(sentence));
  }
  const auto allowance = allowance_of(card.rule.name);
  text += fmt::format("\ncan it be allowed (--allow, allow=[…])\n  {}: {}\n", allowance.allowable ? "yes" : "no",
                      allowance.why);
  text += "\nchecked in the reference\n";
  for (const CheckPlace& place : card.places) text += fmt::format("  {}: {}\n", place.file, place.function);
  text +=
      "\nvectors\n" +
      vectors_text("computes: the model is legal and the values must be right", card, Axis::computes, cut) +
      vectors_text("diagnoses: the model is illegal and a good implementation refuses it", card, Axis::diagnoses, cut) +
      vectors_text("open: the texts leave the outcome open, but a wrong value or a crash is still wrong", card,
                   Axis::open, cut);
  for (const NoVectors& none : card.without)
    text += fmt::format("  none on {}: {}\n", fmt::join(none.kinds, ", none on "), none.why);
  text += "\nknown deviations\n";
  for (const Deviation& each : card.deviations) {
    text += fmt::format("  {}: {} vector{}, {}\n", each.adapter, each.vectors, each.vectors == 1 ? "" : "s", each.link);
  }
  return text + (card.deviations.empty() ? "  none\n" : "");
}

/// The words of the text in quotation marks, or ours.
std::string words(const Sentence& sentence) {
  return sentence.fact.empty() ? fmt::format("\"{}\"", sentence.quote) : sentence.fact;
}

std::string sentence_text(const Sentence& sentence) {
  std::string text = fmt::format("{}\n  {}\n\nplace\n  {}\n  {}\n\nstatus\n  {}{}\n", sentence.id, words(sentence),
                                 source_text(sentence), sentence.url, sentence.status,
                                 sentence.why.empty() ? "" : ": " + sentence.why);
  for (const std::string& rule : sentence.rules) text += fmt::format("  {}\n", rule);
  return text;
}

/// Everything that has a name.
struct Names {
  std::vector<RuleSummary> rules = all_rules();
  Knowledge knowledge;  // with the vectors that the name or the glob means

  std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const RuleSummary& rule : rules) names.push_back(rule.name);
    for (const Vector& vector : knowledge.suite.vectors) names.push_back(vector.summary.id);
    for (const Sentence& sentence : knowledge.table.sentences) names.push_back(sentence.id);
    return names;
  }
};

/// Explains the vector, the rule or the sentence with that name, if there is one.
std::optional<std::string> explanation(const std::string& name, const Names& names, const Cut& cut) {
  if (const Vector* vector = names.knowledge.suite.find(name)) return vector_text(*vector);
  const auto rule = std::ranges::find(names.rules, name, &RuleSummary::name);
  if (rule != names.rules.end()) return rule_text(card_of(*rule, names.knowledge), cut);
  const auto sentence = std::ranges::find(names.knowledge.table.sentences, name, &Sentence::id);
  if (sentence != names.knowledge.table.sentences.end()) return sentence_text(*sentence);
  return std::nullopt;
}

/// The names of one kind that a glob matches, a line each.
struct Matches {
  std::string_view one, several;
  std::vector<std::string> lines{};

  std::string count() const { return fmt::format("{} {}", lines.size(), lines.size() == 1 ? one : several); }
};

/// The counts of each kind in one line, then the names kind by kind; empty where the glob matches nothing.
std::string overview(const std::string& glob, const Names& names, const Cut& cut) {
  std::array<Matches, 3> kinds{{{"rule", "rules"}, {"vector", "vectors"}, {"sentence", "sentences"}}};
  auto& [rules, vectors, sentences] = kinds;
  const auto look_at = [&glob](Matches& kind, const std::string& name, const std::string& text) {
    if (glob_matches(glob, name)) kind.lines.push_back(fmt::format("  {}: {}\n", name, text));
  };
  for (const RuleSummary& rule : names.rules) look_at(rules, rule.name, rule.requirement);
  for (const Vector& vector : names.knowledge.suite.vectors) look_at(vectors, vector.summary.id, vector.summary.title);
  for (const Sentence& each : names.knowledge.table.sentences) look_at(sentences, each.id, words(each));
  std::vector<std::string> counts;
  std::string lists;
  for (const Matches& kind : kinds) {
    if (kind.lines.empty()) continue;
    counts.push_back(kind.count());
    lists += fmt::format("\n{}\n{}", kind.several, cut.text(kind.lines, kind.several));
  }
  return counts.empty() ? "" : fmt::format("{}: {}\n{}", glob, fmt::join(counts, ", "), lists);
}

bool is_glob(const std::string& name) {
  return name.find_first_of("*?[") != std::string::npos;
}

/// For a glob that matches a single name, the explanation of that name.
std::string explanation_or_overview(const std::string& name, const Cut& cut) {
  const auto meant_by_name = [&name](const VectorSummary& vector) {
    return vector.id == name || vector.rule == name || glob_matches(name, vector.id) || glob_matches(name, vector.rule);
  };
  const Names names{.knowledge = read_knowledge(find_project(), meant_by_name)};
  if (const auto text = explanation(name, names, cut)) return *text;
  const std::vector<std::string> all = names.all();
  if (is_glob(name)) {
    const auto matches = [&name](const std::string& each) { return glob_matches(name, each); };
    if (std::ranges::count_if(all, matches) == 1) return *explanation(*std::ranges::find_if(all, matches), names, cut);
    if (const std::string text = overview(name, names, cut); !text.empty()) return text;
  }
  const std::string meant = did_you_mean(name, all);
  throw Error(fmt::format("no rule, vector or sentence {} '{}'{}", is_glob(name) ? "matches" : "is named", name,
                          meant.empty() ? "; see `ifcert list rules` and `ifcert list vectors`" : meant));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("explain", "Explain a rule, a vector or a sentence of the specifications");
  auto name = std::make_shared<std::string>();
  auto cut = std::make_shared<Cut>();
  command->add_option("RULE|VECTOR|SENTENCE", *name, "its name, or a glob")->type_name("")->required();
  command->add_flag("--all", cut->all, "show long lists in full");
  examples(*command,
           {{"ifcert explain onnx/if/output-count", "a rule: its sentences, places, vectors, deviations"},
            {"ifcert explain onnx/if/then-when-true/test-cc-if", "a vector: its steps, and its model as text"},
            {"ifcert explain if-cond-single-element", "a sentence of a specification, and its rules"},
            {"ifcert explain 'onnx/if/cond-*'", "the rules and vectors whose names match"},
            {"ifcert explain 'tflite/*' --all", "all matches, however many"}});
  command->callback([name, cut, &exit_code] {
    fmt::print("{}", printable_lines(explanation_or_overview(*name, *cut)));
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
