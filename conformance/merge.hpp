// Combines the shards of a certification.
#pragma once

#include <string>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// The contents of one results.jsonl, and its name in messages.
struct Part {
  std::string name;
  Certification certification;
};

/// Fills in the vectors of the part's selector and shard, which a results file does not contain. Throws Error for
/// results of another manifest, for a vector of an adapter's systems without a result, and for a result of any other
/// vector.
void add_vectors(const Suite& suite, Part& part);

/// The whole that these parts make up, as if it had been run at once: all shards of a certification, or of several that
/// differ in their adapters alone, one after the other in the order of their first parts. The caller compares it with
/// the known-failure lists and fills in the rules. Throws Error as add_vectors() does, for parts with different
/// settings or different runtimes, for a shard that is there twice, and for one that is missing.
Certification merge(const Suite& suite, std::vector<Part> parts);

}  // namespace ifcert::conformance
