// Combines the shards of a certification.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// The contents of one results.jsonl, and its name in messages.
struct Part {
  std::string name;
  Certification certification;
};

/// The suite, of which those vectors were read that the parts selected. Throws as read_suite and selection_from() do.
Suite suite_of(const Project& project, std::span<const Part> parts);

/// Fills in the vectors of the part's selector and shard, which a results file does not contain. Throws Error for
/// results of another manifest, for a vector of an adapter's systems without a result, and for a result of any other
/// vector.
void add_vectors(const Suite& suite, Part& part);

/// The whole that these parts make up, as if it had been run at once. The parts are all shards of one certification, or
/// of several that differ only in their adapters; the adapters are then in the order of their first parts. The caller
/// compares the whole with the known-failure lists and fills in the rules. Throws Error in the same cases as
/// add_vectors(), for parts with different settings or different runtimes, for a shard that is there twice, and for one
/// that is missing.
Certification merge(const Suite& suite, std::vector<Part> parts);

}  // namespace ifcert::conformance
