// The sentences of the specifications, as vectors/SYSTEM/sentences.json has them.
#pragma once

#include <string>
#include <vector>

#include "conformance/project.hpp"

namespace ifcert::conformance {

/// A sentence, where it stands, and what became of it: `status` is "rule" (then `rules` names them), "informative" or
/// "untestable" (then `why` says why).
struct Sentence {
  std::string id, document, url, place, quote, status, why;
  std::vector<int> versions;  // of the operation; empty where the text has none
  std::vector<std::string> rules;
};

/// Why a rule has no vectors on the named axes ("computes", "diagnoses").
struct NoVectors {
  std::string rule;
  std::vector<std::string> kinds;
  std::string why;
};

struct SentenceTable {
  std::vector<Sentence> sentences;
  std::vector<NoVectors> without;
};

/// The tables of all systems, one after the other. Throws Error: a table that is not as its schema says.
SentenceTable read_sentences(const Project& project);

}  // namespace ifcert::conformance
