// ifcert explain RULE|VECTOR|SENTENCE
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <memory>
#include <string>

#include "conformance/commands/commands.hpp"
#include "conformance/error.hpp"
#include "conformance/rule_card.hpp"
#include "conformance/rule_table.hpp"
#include "conformance/suite.hpp"
#include "conformance/value.hpp"

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
  if (outcome.contains("refused")) return "refused, here or in a later step\n";
  if (outcome.contains("outputs")) return "outputs\n" + named_values_text(outcome.at("outputs"));
  std::string text = fmt::format("any of these: {}\n", outcome.at("reason").get<std::string>());
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
  if (!vector.spoilt.empty()) throw Error(fmt::format("the vector {} cannot be used: {}", summary.id, vector.spoilt));
  std::string text =
      fmt::format("{}\n  {}\n  counts for {} ({})\n", summary.id, summary.title, summary.rule, to_string(summary.axis));
  if (!summary.twin.empty()) text += fmt::format("  differs in its fault only from {}\n", summary.twin);
  text += "\nwhy\n" + why_text(summary.why);
  if (!summary.obliged_by.is_null())
    text += "\nobliges the implementation to refuse\n" + why_text({summary.obliged_by});
  text += "\nsteps\n" + steps_text(summary.steps);
  text += fmt::format("\nmodel ({})\n{}", summary.model.string(), indented(summary.model_text, "  "));
  return text + fmt::format("\nreproduce\n  ifcert certify ADAPTER --vector '{}'\n", summary.id);
}

std::string place_text(const Sentence& sentence) {
  std::string text = fmt::format("{}, {}", sentence.document, sentence.place);
  if (sentence.versions.empty()) return text;
  return fmt::format("{} (in version{} {})", text, sentence.versions.size() == 1 ? "" : "s",
                     fmt::join(sentence.versions, ", "));
}

std::string vectors_text(std::string_view heading, const RuleCard& card, Axis axis) {
  const auto vectors = card.vectors.find(axis);
  if (vectors == card.vectors.end()) return "";
  std::string text = fmt::format("  {}\n", heading);
  for (const VectorSummary& vector : vectors->second) text += fmt::format("    {}: {}\n", vector.id, vector.title);
  return text;
}

std::string rule_text(const RuleCard& card) {
  std::string text =
      fmt::format("{}\n  {}\n\nclause\n  {}\n\nsentences\n", card.rule.name, card.rule.holds, card.rule.clause);
  for (const Sentence& sentence : card.sentences) {
    text += fmt::format("  {}: \"{}\"\n    {}\n", sentence.id, sentence.quote, place_text(sentence));
  }
  text += "\nchecked in the reference\n";
  for (const CheckPlace& place : card.places) text += fmt::format("  {}: {}\n", place.file, place.function);
  text +=
      "\nvectors\n" + vectors_text("computes: a legal model, whose values must be right", card, Axis::computes) +
      vectors_text("diagnoses: an illegal model, which a good implementation refuses", card, Axis::diagnoses) +
      vectors_text("open: the texts leave the outcome open; a wrong value or a crash is still wrong", card, Axis::open);
  for (const NoVectors& none : card.without)
    text += fmt::format("  none on {}: {}\n", fmt::join(none.kinds, ", none on "), none.why);
  text += "\nknown deviations\n";
  for (const Deviation& each : card.deviations) {
    text += fmt::format("  {}: {} vector{}, {}\n", each.adapter, each.vectors, each.vectors == 1 ? "" : "s", each.link);
  }
  return text + (card.deviations.empty() ? "  none\n" : "");
}

std::string sentence_text(const Sentence& sentence) {
  std::string text =
      fmt::format("{}\n  \"{}\"\n\nplace\n  {}\n  {}\n\nstatus\n  {}{}\n", sentence.id, sentence.quote,
                  place_text(sentence), sentence.url, sentence.status, sentence.why.empty() ? "" : ": " + sentence.why);
  for (const std::string& rule : sentence.rules) text += fmt::format("  {}\n", rule);
  return text;
}

/// Names that contain what was asked for, as a hint.
std::string similar(const std::string& name, const Knowledge& knowledge) {
  constexpr std::size_t most = 5;
  std::vector<std::string> found;
  const auto look_at = [&](const std::string& candidate) {
    if (found.size() < most && candidate.find(name) != std::string::npos) found.push_back(candidate);
  };
  for (const RuleSummary& rule : all_rules()) look_at(rule.name);
  for (const Vector& vector : knowledge.suite.vectors) look_at(vector.summary.id);
  for (const Sentence& sentence : knowledge.table.sentences) look_at(sentence.id);
  if (found.empty()) return "see `ifcert list rules` and `ifcert list vectors`";
  return fmt::format("did you mean {}?", fmt::join(found, ", "));
}

std::string explanation(const std::string& name) {
  const Knowledge knowledge = read_knowledge(find_project());
  if (const Vector* vector = knowledge.suite.find(name)) return vector_text(*vector);
  const std::vector<RuleSummary> rules = all_rules();
  const auto rule = std::ranges::find(rules, name, &RuleSummary::name);
  if (rule != rules.end()) return rule_text(card_of(*rule, knowledge));
  const auto sentence = std::ranges::find(knowledge.table.sentences, name, &Sentence::id);
  if (sentence != knowledge.table.sentences.end()) return sentence_text(*sentence);
  throw Error(fmt::format("no rule, no vector and no sentence is named '{}'; {}", name, similar(name, knowledge)));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("explain", "Say what a rule, a vector or a sentence of the texts is about");
  auto name = std::make_shared<std::string>();
  command->add_option("RULE|VECTOR|SENTENCE", *name, "its name")->required();
  command->callback([name, &exit_code] {
    fmt::print("{}", printable_lines(explanation(*name)));
    exit_code = 0;
  });
}

}  // namespace ifcert::conformance
