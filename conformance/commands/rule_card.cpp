#include "conformance/commands/rule_card.hpp"

#include <algorithm>
#include <ifcert/rules.hpp>
#include <string_view>

#include "conformance/runtimes/read_adapter.hpp"

namespace ifcert::conformance {
namespace {

void add_vectors(const Suite& suite, RuleCard& card) {
  for (const Vector& vector : suite.vectors) {
    if (vector.summary.rule == card.rule.name) card.vectors[vector.summary.axis].push_back(vector.summary);
  }
}

std::string_view rule_of(std::string_view vector) {
  return vector.substr(0, vector.rfind('/'));
}

void add_failures(const KnownFailures& list, RuleCard& card) {
  for (const KnownFailure& failure : list.failures) {
    if (rule_of(failure.vector) != card.rule.name) continue;
    const auto same = [&](const Deviation& each) { return each.adapter == list.adapter && each.link == failure.link; };
    const auto found = std::ranges::find_if(card.deviations, same);
    if (found == card.deviations.end())
      card.deviations.push_back({list.adapter, failure.link, 1});
    else
      ++found->vectors;
  }
}

}  // namespace

Knowledge read_knowledge(const Project& project, const Wanted& wanted) {
  Knowledge knowledge{read_suite(project, wanted), read_sentences(project), {}};
  for (const std::string& adapter : adapter_names(project)) {
    knowledge.lists.push_back(read_known_failures(project, adapter, knowledge.suite));
  }
  return knowledge;
}

RuleCard card_of(const RuleSummary& rule, const Knowledge& knowledge) {
  RuleCard card{.rule = rule, .sentences{}, .places{}, .vectors{}, .without{}, .deviations{}};
  for (const Sentence& sentence : knowledge.table.sentences) {
    if (std::ranges::find(sentence.rules, rule.name) != sentence.rules.end()) card.sentences.push_back(sentence);
  }
  for (const RuleFunction& it : rule_functions()) {
    if (it.rule == rule.name) card.places.push_back({std::string(it.file), std::string(it.function)});
  }
  add_vectors(knowledge.suite, card);
  for (const NoVectors& none : knowledge.table.without) {
    if (none.rule == rule.name) card.without.push_back(none);
  }
  for (const KnownFailures& list : knowledge.lists) add_failures(list, card);
  return card;
}

}  // namespace ifcert::conformance
