// Everything known about a rule: its sentences, where the reference checks it, its vectors, which runtimes deviate from
// it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/certify/known_failures.hpp"
#include "conformance/suite/sentences.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The contents of the project's files on all rules.
struct Knowledge {
  Suite suite;
  SentenceTable table;
  std::vector<KnownFailures> lists;  // of every adapter
};

/// With the selected vectors in full, and the manifest's entries of the others. Throws Error if one of the files does
/// not match its schema.
Knowledge read_knowledge(const Project& project, const Wanted& wanted);

/// A function of the reference that checks a rule or carries it out.
struct CheckPlace {
  std::string file, function;
};

/// Vectors of a rule that an adapter is known to fail, for one documented reason.
struct Deviation {
  std::string adapter, link;
  std::size_t vectors = 0;
};

struct RuleCard {
  RuleSummary rule;
  std::vector<Sentence> sentences;
  std::vector<CheckPlace> places;
  std::map<Axis, std::vector<VectorSummary>> vectors;
  std::vector<NoVectors> without;
  std::vector<Deviation> deviations;
};

RuleCard card_of(const RuleSummary& rule, const Knowledge& knowledge);

}  // namespace ifcert::conformance
