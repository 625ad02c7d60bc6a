// The sentences of the specifications, as listed in vectors/SYSTEM/sentences.json.
#pragma once

#include <string>
#include <vector>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// A sentence, where it is, and how it is covered: `status` is "rule" (then `rules` names them), "informative" or
/// "untestable" (then `why` is the reason), or "quoted" where vectors cite a text that is not listed sentence by
/// sentence. What a text states in another form than a sentence has no `quote`, but a `fact` in our words.
struct Sentence {
  std::string id, document, url, place, quote, status, why;
  std::vector<int> versions;  // versions of the operation; empty where the text has none
  std::vector<std::string> rules;
  std::string fact = {};
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

/// The tables of all systems, one after the other. Throws Error for a table that does not match its schema.
SentenceTable read_sentences(const Project& project);

}  // namespace ifcert::conformance
